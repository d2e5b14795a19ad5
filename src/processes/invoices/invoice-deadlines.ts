import { isoTime, parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { Interruptions } from '../../kernel/interruptions';
import { repeat } from '../../kernel/jobs';
import { clockOf, type KnownClock, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Occasion, SystemCommands } from '../../kernel/system-commands';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import type { Mode } from '../../vocabulary/modes';
import { invoices } from '../../modules/invoices/invoice.decider';
import { invoicesReadModel, type InvoiceDocument } from '../../modules/invoices/invoices.read-model';
import { AdvancedClocks } from '../expiry/advanced-clocks';

/** Reminders and due dates go by days: nobody waits for them. */
const POLL_MS = 5 * SECOND_MS;
const PAGE = 100;
/** Pages of one question, after which the others have their turn. */
const PAGES = 10;
const CLOCKS_A_ROUND = 200;

type InvoiceDeadlinesParts = {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  readonly commands: SystemCommands;
  readonly clock: MerchantClocks;
  readonly log: Log;
};

type Range = Pick<ListQuery, 'index' | 'equals' | 'range'>;

/**
 * Tells that invoices are overdue, and reminds their customers. A question for each mode finds what is due by the
 * wall's clock. A merchant's clock of test mode that runs ahead is asked by its own time.
 */
export class InvoiceDeadlines {
  private readonly commands: SystemCommands;
  private readonly advanced: AdvancedClocks;
  private readonly interruptions: Interruptions;
  private readonly failures: Interruptions;

  constructor(private readonly parts: InvoiceDeadlinesParts) {
    const { readModels, commands, clock, log } = parts;
    this.commands = commands.of('invoices');
    this.advanced = new AdvancedClocks(readModels);
    this.interruptions = new Interruptions(clock, log, 'the look for due invoices was interrupted');
    this.failures = new Interruptions(clock, log, 'the deadline of an invoice could not be met');
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const onFault = (error: unknown): void => this.interruptions.tell(error, {});
    await repeat(() => this.sweep(), { everyMs: POLL_MS, clock: this.parts.clock, onFault }, signal);
  }

  async sweep(): Promise<void> {
    const { modes, clock } = this.parts;
    const nowMs = clock.now();
    for (const mode of modes) {
      const equals = { mode, awaits_deadline: true };
      await this.meetAll(mode, { index: 'by_wall_deadline', equals, range: { to: isoTime(nowMs) } });
    }
    if (!modes.includes('test')) return;
    await this.advanced.refresh(nowMs);
    for (const merchantId of this.advanced.due(nowMs, CLOCKS_A_ROUND))
      this.advanced.checkAgain(merchantId, await this.sweepMerchant(merchantId));
  }

  /** Meets what is due by the clock of a merchant of test mode. Answers the wall's moment of the next look. */
  async sweepMerchant(merchantId: string, advanced?: ClockStanding): Promise<number> {
    const { clock, readModels } = this.parts;
    const known = { universe: 'test', merchantId, clock: advanced } as const;
    const merchantNow = await clock.merchantNow('test', merchantId, known);
    const own = { index: 'by_clock_deadline', equals: { clock: clockOf(merchantId), awaits_deadline: true } };
    await this.meetAll('test', { ...own, range: { to: isoTime(merchantNow) } }, known);
    const [next] = await readModels.list(invoicesReadModel, { ...own, limit: 1 });
    if (!next) return Infinity;
    return clock.now() + Math.max(POLL_MS, parseIsoTime(next.body.deadline_at) - merchantNow);
  }

  private async meetAll(mode: Mode, range: Range, clock?: KnownClock): Promise<void> {
    const { readModels } = this.parts;
    const moment = range.index === 'by_wall_deadline' ? 'wall_deadline_at' : 'deadline_at';
    let last: Document<InvoiceDocument> | undefined;
    for (let pages = 0; pages < PAGES; pages++) {
      const after = last && { after: { [moment]: last.body[moment], id: last.id } };
      const page = await readModels.list(invoicesReadModel, { ...range, ...after, limit: PAGE });
      for (const { id } of page) await this.meet({ mode, cause: null, ...(clock && { clock }) }, id);
      last = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  /** The fault of one invoice does not hold up the others. */
  private async meet(occasion: Occasion, invoice: string): Promise<void> {
    const command = { type: 'meet_deadlines' } as const;
    try {
      await this.commands.execute(invoices, invoice, () => ({ command, actor: 'sweeper' }), occasion);
    } catch (error) {
      this.failures.tell(error, { mode: occasion.mode, invoice });
    }
  }
}
