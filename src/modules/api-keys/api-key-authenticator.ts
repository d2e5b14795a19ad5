import { parseIsoTime } from '../../kernel/clock';
import { refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { ReadModels } from '../../kernel/ports/read-models';
import { apiKeysProjection } from '../../../projections/api-keys/api-keys.projection';
import { merchantsProjection } from '../../../projections/merchants/merchants.projection';
import type { KeyKind } from './api-key.events';
import type { ApiKeyUses } from './api-key-uses';
import { keyHash, parseApiKey } from './key-text';
import type { Scope } from './scopes';

export type AuthenticatedKey = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
};

/** Milliseconds by the clock of the key's mode; in test mode each merchant has one. */
export type ModeNow = (mode: Mode, merchantId: string) => number | Promise<number>;

/** Says whose key a text is. The streams' newest events count, so a revocation holds from the next request on. */
export class ApiKeyAuthenticator {
  constructor(
    private readonly readModels: ReadModels,
    private readonly uses: ApiKeyUses,
  ) {}

  /** Throws Refusal invalid_api_key, api_key_revoked, api_key_expired or account_disabled, in this order. */
  async authenticate(keyText: string, now: number | ModeNow): Promise<AuthenticatedKey> {
    const parsed = parseApiKey(keyText);
    if (!parsed) throw refuse('invalid_api_key');
    const byHash = { index: 'by_key_hash', equals: { key_hash: keyHash(keyText) }, limit: 1 };
    const [found] = await this.readModels.list(apiKeysProjection, byHash);
    if (!found || found.body.mode !== parsed.mode) throw refuse('invalid_api_key');
    const merchantId = found.body.merchant_id;
    const [key, merchant, nowMs] = await Promise.all([
      this.readModels.get(apiKeysProjection, parsed.mode, found.id),
      this.readModels.get(merchantsProjection, 'platform', merchantId),
      typeof now === 'number' ? now : now(parsed.mode, merchantId),
    ]);
    if (!key || !merchant) throw refuse('invalid_api_key');
    const { kind, scopes, status, expires_at: expiresAt } = key.body;
    if (status === 'revoked') throw refuse('api_key_revoked');
    if (expiresAt !== null && nowMs >= parseIsoTime(expiresAt)) throw refuse('api_key_expired');
    if (merchant.body.status === 'disabled') throw refuse('account_disabled');
    this.uses.note(key.id, nowMs);
    return { merchantId, mode: parsed.mode, keyId: key.id, kind, scopes };
  }
}
