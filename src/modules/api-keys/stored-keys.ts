import type { AccessReader } from '../../kernel/access-reader';
import { BoundedMap } from '../../kernel/bounded-map';
import type { Mode } from '../../vocabulary/modes';
import type { ReadModels } from '../../kernel/ports/read-models';
import { isPaused } from '../merchants/merchants.read-model';
import { factsOf, settingsIn } from '../merchants/merchant-settings';
import { accountAsked, accountOf, methodTermsOf } from '../merchants/read-account';
import type { KeyRecord, KeyRecords } from './api-key-authenticator';
import { apiKeysReadModel } from './api-keys.read-model';

/** Hashes remembered, a hundred bytes each. */
const HASHES_LIMIT = 10_000;

type Holder = { readonly keyId: string; readonly merchantId: string; readonly mode: string };

/**
 * The key of a hash never changes, so it is remembered. All other facts are read each time, in one round trip, so a
 * revocation holds at once.
 */
export class StoredKeys implements KeyRecords {
  private readonly holders = new BoundedMap<string, Holder>(HASHES_LIMIT);

  constructor(
    private readonly readModels: Pick<ReadModels, 'list'>,
    private readonly access: AccessReader,
  ) {}

  async find(hash: string, mode: Mode, asksMethods: boolean): Promise<KeyRecord | null> {
    const holder = await this.holder(hash);
    if (holder?.mode !== mode) return null;
    const { keyId, merchantId } = holder;
    const [key, ...documents] = await this.access.read([
      { readModel: apiKeysReadModel, universe: mode, id: keyId },
      ...accountAsked(mode, merchantId, asksMethods),
    ]);
    const account = accountOf(documents);
    if (!key || !account) return null;
    const { merchant, limits, clock } = account;
    const { kind, scopes, withheld, status, expires_at: expiresAt } = key.body;
    const settings = factsOf(settingsIn(account.settings));
    return {
      merchantId,
      keyId,
      kind,
      scopes,
      withheld,
      settings,
      limits,
      methodTerms: asksMethods ? methodTermsOf(mode, account, documents) : null,
      clock,
      expiresAt,
      isRevoked: status === 'revoked',
      isAccountDisabled: merchant.status === 'disabled',
      isClosed: merchant.status === 'closed',
      isPausedAt: nowMs => isPaused(account, mode, nowMs),
    };
  }

  /** Whether a key is found by its hash. */
  async isListed(hash: string): Promise<boolean> {
    return (await this.holder(hash)) !== null;
  }

  private async holder(hash: string): Promise<Holder | null> {
    const known = this.holders.get(hash);
    if (known) return known;
    const byHash = { index: 'by_key_hash', equals: { key_hash: hash }, limit: 1 };
    const [found] = await this.readModels.list(apiKeysReadModel, byHash);
    if (!found) return null;
    const holder = { keyId: found.id, merchantId: found.body.merchant_id, mode: found.body.mode };
    this.holders.set(hash, holder);
    return holder;
  }
}
