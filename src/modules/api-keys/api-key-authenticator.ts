import type { AuthenticatedKey } from '../../vocabulary/authenticated-key';
import { parseIsoTime } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { ApiKeyUses } from './api-key-uses';
import { keyHash, parseApiKey } from './key-text';

export type KeyRecord = Omit<AuthenticatedKey, 'mode' | 'nowMs' | 'isPaused'> & {
  readonly isRevoked: boolean;
  readonly isAccountDisabled: boolean;
  readonly isPausedAt: (nowMs: number) => boolean;
};

export interface KeyRecords {
  /** The key and its account as they stand now; null for a hash that no key of the mode has. */
  find(hash: string, mode: Mode, asksMethods: boolean): Promise<KeyRecord | null>;
}

/** Finds the key and the merchant of a key's text. */
export class ApiKeyAuthenticator {
  constructor(
    private readonly records: KeyRecords,
    private readonly uses: ApiKeyUses,
  ) {}

  /** Throws Refusal invalid_api_key, api_key_revoked, api_key_expired or account_disabled, in this order. */
  async authenticate(keyText: string, wallMs: number, asksMethods = false): Promise<AuthenticatedKey> {
    const parsed = parseApiKey(keyText);
    if (!parsed) throw refuse('invalid_api_key');
    const { mode } = parsed;
    const record = await this.records.find(keyHash(keyText), mode, asksMethods);
    if (!record) throw refuse('invalid_api_key');
    const { merchantId, keyId, kind, scopes, withheld, expiresAt } = record;
    const { settings, limits, methodTerms, isClosed, clock } = record;
    const nowMs = wallMs + clock.aheadMs;
    if (record.isRevoked) throw refuse('api_key_revoked');
    if (expiresAt !== null && nowMs >= parseIsoTime(expiresAt)) throw refuse('api_key_expired');
    if (record.isAccountDisabled) throw refuse('account_disabled');
    this.uses.note(keyId, nowMs);
    const isPaused = record.isPausedAt(nowMs);
    const key = { merchantId, mode, keyId, kind, scopes, withheld, expiresAt };
    return { ...key, settings, limits, methodTerms, isPaused, isClosed, clock, nowMs };
  }
}
