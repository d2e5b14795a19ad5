import { refuse } from '../../vocabulary/errors';
import type { Universe } from '../../vocabulary/modes';

/** Exports of an account in one mode that a process makes at once: each reads all the time that it lasts. */
export const EXPORTS_LIMIT = 4;
const RETRY_SECONDS = 5;

/** An account in a mode, or an administrator above the modes. */
type Asker = { readonly merchantId: string; readonly mode: Universe };

/** Counts the exports that this process makes. */
export class ExportsUnderWay {
  private readonly counts = new Map<string, number>();

  /** The same parts, counted from the first one until their end. The first one throws Refusal rate_limit. */
  async *counted<Part>({ merchantId, mode }: Asker, parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
    const account = `${merchantId}/${mode}`;
    const count = this.counts.get(account) ?? 0;
    if (count >= EXPORTS_LIMIT) {
      const message = `At most ${EXPORTS_LIMIT} exports of an account are under way at once.`;
      throw refuse('rate_limit', { message, retryAfterSeconds: RETRY_SECONDS });
    }
    this.counts.set(account, count + 1);
    try {
      yield* parts;
    } finally {
      const left = (this.counts.get(account) ?? 1) - 1;
      if (left > 0) this.counts.set(account, left);
      else this.counts.delete(account);
    }
  }
}
