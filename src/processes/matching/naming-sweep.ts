import { DAY_MS, isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { everyDocument } from '../../kernel/every-document';
import type { Mode } from '../../vocabulary/modes';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { NAMING_TTL_MS } from '../../modules/transfers/naming.decider';
import { namingsReadModel, type NamingDocument } from '../../modules/transfers/namings.read-model';
import type { WaitingNamings } from './waiting-namings';

/** Milliseconds from the beginning of one sweep to that of the next; a sweep over very many namings takes longer. */
const SWEEP_EVERY_MS = 5 * MINUTE_MS;
/** A naming is met for so long after its own day: no provider may have answered for all of that day. */
const MET_LONGER_MS = DAY_MS;
/** The first sweep after a start meets namings for so long: no process may have looked for weeks. */
const MET_AT_START_MS = 30 * DAY_MS;
/** Namings that one step reads. */
const PAGE = 500;

/**
 * Meets every pending naming again and again. A watcher looks for the namings' transfers as well, but only at addresses
 * of its list. The watcher also reads only blocks that come after an address joins its list.
 */
export class NamingSweep {
  /** The sweep's place in the list of all namings; null between two sweeps. */
  private reading: AsyncGenerator<Document<NamingDocument>> | null = null;
  private nextAtMs = -Infinity;
  /** True until the first sweep since the start is through. */
  private isFirst = true;

  constructor(
    private readonly waiting: WaitingNamings,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Reads the next page, where a sweep is under way or due. */
  async step(): Promise<void> {
    if (this.reading === null && !this.isDue()) return;
    this.reading ??= this.begin();
    try {
      for (let taken = 0; taken < PAGE; taken++) {
        const next = await this.reading.next();
        if (next.done) return this.end();
        this.offer(next.value);
      }
    } catch (error) {
      this.reading = null;
      this.nextAtMs = -Infinity;
      throw error;
    }
  }

  private isDue(): boolean {
    return this.waiting.takeMissing() || this.clock.now() >= this.nextAtMs;
  }

  private begin(): AsyncGenerator<Document<NamingDocument>> {
    const nowMs = this.clock.now();
    this.nextAtMs = nowMs + SWEEP_EVERY_MS;
    // No merchant's clock is behind the wall's.
    const range = { from: isoTime(nowMs - NAMING_TTL_MS - (this.isFirst ? MET_AT_START_MS : MET_LONGER_MS)) };
    const query = { index: 'by_filing', equals: { status: 'pending' }, range, limit: PAGE };
    return everyDocument(this.readModels, namingsReadModel, query);
  }

  private end(): void {
    this.isFirst = false;
    this.reading = null;
    this.waiting.endSweep();
  }

  private offer({ id, body }: Document<NamingDocument>): void {
    const { mode, merchant_id: merchantId, namings_id: namingsId, payment_intent: paymentIntent } = body;
    if (merchantId === null) return;
    this.waiting.offer({ mode: mode as Mode, merchantId, namingsId, paymentIntent }, `${body.filed_at} ${id}`);
  }
}
