import { isoTime, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';

const GUARDED_TRIES = 16;

type PasskeyUse = {
  /** The greatest counter of signatures that was seen; 0 for an authenticator that counts none. */
  readonly counter: number;
  readonly last_used_at: string | null;
};

const PASSKEY_USES: CollectionSpec = { name: 'passkey_uses', indexes: {} };

/** The counters of authenticators, by the hash of the credential's id. */
export class PasskeyUses {
  private constructor(
    private readonly uses: Collection<PasskeyUse>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<PasskeyUses> {
    return new PasskeyUses(await documents.open<PasskeyUse>(PASSKEY_USES), clock);
  }

  /** A registration begins the count, also that of a credential which had another owner. */
  async begin(hash: string, counter: number): Promise<void> {
    const standing = await this.uses.get(hash);
    await this.uses.put({ id: hash, version: (standing?.version ?? 0) + 1, body: { counter, last_used_at: null } });
  }

  /** Null where the counter is new; otherwise the counter that was seen before. */
  async use(hash: string, registered: number, shown: number): Promise<number | null> {
    for await (const { standing, write } of guardedTries(this.uses, hash, GUARDED_TRIES)) {
      const seen = standing?.counter ?? registered;
      if ((shown > 0 || seen > 0) && shown <= seen) return seen;
      if (await write({ counter: shown, last_used_at: isoTime(this.clock.now()) })) return null;
    }
    throw refuse('provider_unavailable', { message: 'This passkey is used by others at this moment.' });
  }

  /** The moments of the last uses, by hash. */
  async lastUses(hashes: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const uses = hashes.length === 0 ? [] : await this.uses.getAll(hashes);
    return new Map(uses.map(({ id, body }) => [id, body.last_used_at]));
  }
}
