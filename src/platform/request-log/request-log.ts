import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS, type Clock } from '../../kernel/clock';
import { isId, timedId } from '../../vocabulary/ids';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import { loggedRequest, strangersRequest, type LoggedRequest, type SeenRequest } from './logged-request';
import { listRequests, REQUEST_LOGS, type RequestListQuery, type RequestPage } from './request-list';

/** Requests of unknown clients, apart, so that they end sooner. */
export const STRANGERS_LOGS: CollectionSpec = { name: 'strangers_request_logs', indexes: { by_id: ['id'] } };

export const KEPT_DAYS = 30;
const STRANGERS_KEPT_DAYS = 1;
/** More requests than one process can serve in two seconds. */
const QUEUE_LIMIT = 4_096;
/** Characters of bodies that wait; answers may be long, so a limit on their number alone would not bound memory. */
const QUEUED_TEXT_LIMIT = 16 * 1_024 * 1_024;
/**
 * Kept requests of unknown clients between two flushes: enough to show an operator what comes, too few to fill a disk.
 * None of them replaces a merchant's request.
 */
const STRANGERS_LIMIT = 8;
const WRITTEN_AT_ONCE = 64;
const CLEANED_AT_ONCE = 256;
/** Faster than any process serves, so that old requests never pile up. */
const CLEANED_PER_ROUND = 8 * CLEANED_AT_ONCE;

/**
 * The requests of the last KEPT_DAYS days, written behind. A crash loses the requests of the last second. While the
 * store is away, the oldest of the waiting requests are dropped once too many wait. The log keeps at most
 * STRANGERS_LIMIT unauthenticated requests a flush, a line each, for STRANGERS_KEPT_DAYS.
 */
export class RequestLog {
  /** The waiting requests, the oldest first. */
  private readonly waiting = new Set<SeenRequest>();
  private waitingText = 0;
  private dropped = 0;
  private strangers = 0;

  private constructor(
    private readonly logs: Collection<LoggedRequest>,
    private readonly strangersLogs: Collection<LoggedRequest>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  static async open(documents: Documents, clock: Clock, log: Log): Promise<RequestLog> {
    const logs = await documents.open<LoggedRequest>(REQUEST_LOGS);
    return new RequestLog(logs, await documents.open<LoggedRequest>(STRANGERS_LOGS), clock, log);
  }

  note(request: SeenRequest): void {
    if (request.merchantId === null && ++this.strangers > STRANGERS_LIMIT) return;
    this.waiting.add(request);
    this.waitingText += textOf(request);
    for (const oldest of this.waiting) {
      if (this.waiting.size <= QUEUE_LIMIT && this.waitingText <= QUEUED_TEXT_LIMIT) break;
      this.forget(oldest);
      this.dropped += 1;
    }
  }

  /** Null for an unknown request, or one that is no longer kept. */
  async get(requestId: string): Promise<LoggedRequest | null> {
    for (const seen of this.waiting) if (seen.requestId === requestId) return kept(seen);
    const found = (await this.logs.get(requestId)) ?? (await this.strangersLogs.get(requestId));
    return found?.body ?? null;
  }

  /** A merchant's request; null for any other text or request. */
  async ofMerchant(merchantId: string, id: string): Promise<LoggedRequest | null> {
    const request = isId('req', id) ? await this.get(id) : null;
    return request?.merchant_id === merchantId ? request : null;
  }

  /** One page of a merchant's written requests, the newest first. The requests of the last second may be missing. */
  list(query: RequestListQuery): Promise<RequestPage> {
    return listRequests(this.logs, query);
  }

  /** Writes the waiting requests, and removes old ones. A request that could not be written waits on. */
  async flush(): Promise<void> {
    if (this.dropped > 0) this.log.warn({ dropped: this.dropped }, 'request log overflowed: the oldest were dropped');
    const unkept = this.strangers - STRANGERS_LIMIT;
    if (unkept > 0) this.log.warn({ dropped: unkept }, 'request log keeps no more from strangers for the moment');
    this.dropped = 0;
    this.strangers = 0;
    const all = [...this.waiting];
    for (let from = 0; from < all.length; from += WRITTEN_AT_ONCE) {
      const batch = all.slice(from, from + WRITTEN_AT_ONCE).filter(seen => this.waiting.has(seen));
      await this.write(batch);
      for (const seen of batch) this.forget(seen);
    }
    await this.clean(this.logs, KEPT_DAYS);
    await this.clean(this.strangersLogs, STRANGERS_KEPT_DAYS);
  }

  /** Other work has its turn after each request. */
  private async write(batch: readonly SeenRequest[]): Promise<void> {
    const documents: { id: string; version: number; body: LoggedRequest }[] = [];
    for (const seen of batch) {
      documents.push({ id: seen.requestId, version: 1, body: kept(seen) });
      await nextTurn();
    }
    const strangers = documents.filter(({ body }) => body.merchant_id === null);
    const merchants = documents.filter(({ body }) => body.merchant_id !== null);
    if (strangers.length > 0) await this.strangersLogs.putAllNewer(strangers);
    if (merchants.length > 0) await this.logs.putAllNewer(merchants);
  }

  /** A request may have been dropped while it was written. */
  private forget(seen: SeenRequest): void {
    if (this.waiting.delete(seen)) this.waitingText -= textOf(seen);
  }

  private async clean(logs: Collection<LoggedRequest>, keptDays: number): Promise<void> {
    const to = timedId('req', this.clock.now() - keptDays * DAY_MS + 1, new Uint8Array());
    for (let cleaned = 0; cleaned < CLEANED_PER_ROUND; cleaned += CLEANED_AT_ONCE) {
      const old = await logs.list({ index: 'by_id', equals: {}, range: { to }, limit: CLEANED_AT_ONCE });
      await Promise.all(old.map(({ id, version }) => logs.deleteUpTo(id, version)));
      if (old.length < CLEANED_AT_ONCE) return;
    }
  }
}

function kept(seen: SeenRequest): LoggedRequest {
  return seen.merchantId === null ? strangersRequest(seen) : loggedRequest(seen);
}

function textOf({ requestBody, responseBody, target }: SeenRequest): number {
  return (requestBody?.length ?? 0) + (responseBody?.length ?? 0) + target.length;
}
