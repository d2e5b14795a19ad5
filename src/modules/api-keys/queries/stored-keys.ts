import type { Mode } from '../../../kernel/event';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { merchantsReadModel } from '../../merchants/merchants.read-model';
import type { KeyRecord, KeyRecords } from '../api-key-authenticator';
import { apiKeysReadModel } from '../api-keys.read-model';

/**
 * One indexed read finds the key; then the newest events of its stream and its merchant's count, so a revocation holds
 * at once.
 */
export class StoredKeys implements KeyRecords {
  constructor(private readonly readModels: ReadModels) {}

  async find(hash: string, mode: Mode): Promise<KeyRecord | null> {
    const byHash = { index: 'by_key_hash', equals: { key_hash: hash }, limit: 1 };
    const [found] = await this.readModels.list(apiKeysReadModel, byHash);
    if (found?.body.mode !== mode) return null;
    const merchantId = found.body.merchant_id;
    const [key, merchant] = await Promise.all([
      this.readModels.freshen(apiKeysReadModel, mode, found),
      this.readModels.get(merchantsReadModel, 'platform', merchantId),
    ]);
    if (!key || !merchant) return null;
    const { kind, scopes, status, expires_at: expiresAt } = key.body;
    const { status: accountStatus, api_version: apiVersion } = merchant.body;
    const isRevoked = status === 'revoked';
    const isAccountDisabled = accountStatus === 'disabled';
    return { merchantId, keyId: key.id, kind, scopes, apiVersion, expiresAt, isRevoked, isAccountDisabled };
  }
}
