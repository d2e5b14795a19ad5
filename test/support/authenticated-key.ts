import { NEWEST_API_VERSION } from '../../src/vocabulary/api-versions';
import type { AuthenticatedKey } from '../../src/vocabulary/authenticated-key';
import { NEVER_ADVANCED } from '../../src/vocabulary/clock-standing';
import { SCOPES } from '../../src/vocabulary/scopes';
import { DEFAULT_SETTINGS, factsOf } from '../../src/modules/merchants/merchant-settings';
import { DEFAULT_PAYMENT_LIMITS } from './payment-limits';

/** A secret test key of a new account that is pinned to the newest version, with all scopes and no end. */
export function authenticatedKey(
  facts: Pick<AuthenticatedKey, 'merchantId' | 'keyId' | 'nowMs'> & Partial<AuthenticatedKey>,
): AuthenticatedKey {
  return {
    mode: 'test',
    kind: 'sk',
    scopes: SCOPES,
    withheld: [],
    settings: factsOf({ ...DEFAULT_SETTINGS, apiVersion: NEWEST_API_VERSION }),
    limits: DEFAULT_PAYMENT_LIMITS,
    methodTerms: null,
    isPaused: false,
    isClosed: false,
    expiresAt: null,
    clock: NEVER_ADVANCED,
    ...facts,
  };
}
