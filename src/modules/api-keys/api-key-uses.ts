import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { isoTime } from '../../kernel/clock';

type Use = { readonly last_used_at: string };

const API_KEY_USES: CollectionSpec = { name: 'api_key_uses', indexes: {} };

/** Keys used between two flushes. Beyond the limit a use is not noted, which affects only a display. */
const PENDING_LIMIT = 10_000;

/**
 * The time when each key was last used. The time is no fact, so it is written behind, and a crash may lose the last
 * moments.
 */
export class ApiKeyUses {
  private readonly pending = new Map<string, number>();

  private constructor(private readonly uses: Collection<Use>) {}

  static async open(documents: Documents): Promise<ApiKeyUses> {
    return new ApiKeyUses(await documents.open<Use>(API_KEY_USES));
  }

  note(keyId: string, timeMs: number): void {
    const known = this.pending.get(keyId);
    if (known === undefined && this.pending.size >= PENDING_LIMIT) return;
    this.pending.set(keyId, Math.max(known ?? timeMs, timeMs));
  }

  /** ISO-8601; null for a key that has never been used. */
  async lastUsedAt(keyId: string): Promise<string | null> {
    // The noted uses are looked up before the stored one: a use that a flush removes meanwhile is stored by then.
    const noted = this.pending.get(keyId);
    const stored = await this.uses.get(keyId);
    if (noted === undefined || (stored && stored.version >= noted)) return stored?.body.last_used_at ?? null;
    return isoTime(noted);
  }

  /** Writes the noted uses in one write, and removes each only after it is stored. */
  async flush(): Promise<void> {
    const flushed = [...this.pending];
    if (flushed.length === 0) return;
    // The time is the version, so the later note of two processes stays.
    const documents = flushed.map(([id, timeMs]) => {
      return { id, version: timeMs, body: { last_used_at: isoTime(timeMs) } };
    });
    await this.uses.putAllNewer(documents);
    for (const [keyId, timeMs] of flushed) if (this.pending.get(keyId) === timeMs) this.pending.delete(keyId);
  }
}
