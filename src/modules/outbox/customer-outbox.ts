import { isoTime } from '../../kernel/clock';
import { Outbox, type OutboxMessage } from './outbox';

/** Sorts behind every time and id. */
const LAST = '~';
const BEFORE_ALL = '';

/** Mail on its way to customers. Merchants take turns, so nobody's mail waits behind all mail of another merchant. */
export class CustomerOutbox extends Outbox {
  /** The merchant who had the last turn. */
  private last = BEFORE_ALL;
  override readonly isOfCustomers = true;

  override async due(now: number, limit: number): Promise<readonly OutboxMessage[]> {
    const oldest = await super.due(now, limit);
    if (oldest.length < limit) return oldest;
    const range = { to: isoTime(now) };
    const merchants = await this.nextMerchants(range.to, limit);
    const share = Math.ceil(limit / Math.max(1, merchants.length));
    const lists = await Promise.all(
      merchants.map(merchant_id =>
        this.messages.list({ index: 'by_merchant', equals: { status: 'queued', merchant_id }, range, limit: share }),
      ),
    );
    // Older documents name no merchant, and have no turn.
    const nameless = oldest.filter(({ body }) => (body.merchant_id ?? null) === null);
    const inTurns = Array.from({ length: share }, (_, turn) => lists.flatMap(list => list[turn] ?? [])).flat();
    return [...nameless, ...inTurns].slice(0, limit);
  }

  /** The next merchants with mail that is due, at most so many; after the last merchant the first comes again. */
  private async nextMerchants(to: string, limit: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (let looks = 0; looks < limit; looks++) {
      const after = { merchant_id: this.last, next_attempt_at: LAST, id: LAST };
      const query = { index: 'by_merchant', equals: { status: 'queued' }, after, limit: 1 };
      const [message] = await this.messages.list(query);
      const merchant = message?.body.merchant_id ?? null;
      if (message && merchant !== null) {
        this.last = merchant;
        if (message.body.next_attempt_at <= to) found.push(this.last);
        continue;
      }
      const wasFirst = this.last === BEFORE_ALL;
      this.last = BEFORE_ALL;
      if (wasFirst || found.length > 0) break;
    }
    return found;
  }
}
