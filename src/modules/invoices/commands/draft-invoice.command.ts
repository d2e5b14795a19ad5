import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK_DIFFERENCE_MS, parseIsoTime } from '../../../kernel/clock';
import { continuedContext, type MerchantContext } from '../../../kernel/command-context';
import { streamName, type RecordedEvent } from '../../../kernel/event';
import { invariant } from '../../../kernel/invariant';
import type { EventStore } from '../../../kernel/ports/event-store';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { unwritten, WritePath } from '../../../kernel/write-path';
import { isRefusal } from '../../../vocabulary/errors';
import { commandId } from '../../../vocabulary/ids';
import type { PaymentLimits } from '../../../vocabulary/payment-limits';
import type { TokenId } from '../../../vocabulary/tokens';
import { assertQuotable } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { invoiceSeries } from '../invoice-series.decider';
import { invoices } from '../invoice.decider';
import type { InvoiceDraft, InvoiceNumberAllocated, InvoiceSeriesEvent } from '../invoice.events';

/** Events that are read at once where a command looks for the number that it may have taken before. */
const PAGE = 100;

type InvoiceOrder = {
  readonly prefix: string;
  readonly draft: InvoiceDraft;
  readonly enabledTokens: readonly TokenId[];
  readonly limits: PaymentLimits;
};

type DraftedInvoice = { readonly id: string; readonly history: readonly RecordedEvent[] };

/** Drafts an invoice under the next number of its merchant's series. */
export class DraftInvoice extends Command<DraftedInvoice> {
  constructor(
    readonly order: InvoiceOrder,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(DraftInvoice)
export class DraftInvoiceHandler implements ICommandHandler<DraftInvoice> {
  constructor(
    private readonly writes: WritePath,
    private readonly rates: RateBook,
    @Inject(PORTS.eventStore) private readonly store: EventStore,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ order, context }: DraftInvoice): Promise<DraftedInvoice> {
    const { universe, commandId: command, startedAt, isFirstTry } = context;
    const id = commandId('inv', startedAt, await this.secretBox.deriveKey('ids'), command);
    if (isFirstTry !== true) {
      const { state, history } = await this.writes.load(invoices, universe, id);
      if (state.status !== 'none') return { id, history };
    }
    const allocated = await this.allocated(id, order, context);
    return { id, history: await draftFrom(this.writes, allocated, command, isFirstTry === true) };
  }

  /**
   * The invoice's event in the series. A command that may have run before looks for it first, on each try. Its append
   * is at the revision up to which it has looked, so a crash never takes a second number.
   */
  private async allocated(
    invoice: string,
    order: InvoiceOrder,
    context: MerchantContext,
  ): Promise<RecordedEvent<InvoiceNumberAllocated>> {
    const { merchantId, universe, startedAt, isFirstTry } = context;
    const stream = streamName(universe, invoiceSeries.category, merchantId);
    let standing: RecordedEvent<InvoiceNumberAllocated> | null = null;
    const command = { type: 'allocate', invoice, prefix: order.prefix, draft: order.draft } as const;
    const { events } = await this.writes.executePlan(
      invoiceSeries,
      merchantId,
      (_, found: RecordedEvent<InvoiceNumberAllocated> | null) => (found === null ? { command, context } : null),
      context,
      {
        find: async ({ history }) => {
          standing = isFirstTry === true ? null : await this.earlier(stream, history, invoice, startedAt);
          if (standing === null) this.checkPayable(order, context);
          return standing;
        },
      },
    );
    const [event = standing] = events;
    invariant(event !== null, `${invoice} has no number`);
    return event;
  }

  /** Looks no further back than the command's first try, and for the difference of clocks. */
  private async earlier(
    stream: string,
    newest: readonly RecordedEvent<InvoiceSeriesEvent>[],
    invoice: string,
    sinceMs: number,
  ): Promise<RecordedEvent<InvoiceNumberAllocated> | null> {
    let page = newest;
    for (;;) {
      const own = page.find(({ data }) => data.invoice === invoice);
      if (own) return own;
      const [oldest] = page;
      if (oldest === undefined || oldest.revision === 0) return null;
      if (parseIsoTime(oldest.metadata.recorded_at) < sinceMs - CLOCK_DIFFERENCE_MS) return null;
      const options = { direction: 'backwards', from: oldest.revision - 1, limit: PAGE } as const;
      const before = (await this.store.readStream(stream, options)) as readonly RecordedEvent<InvoiceSeriesEvent>[];
      page = [...before].reverse();
    }
  }

  /** An invoice that could never be issued takes no number. Where there are no rates at this moment, issuing checks. */
  private checkPayable({ draft, enabledTokens, limits }: InvoiceOrder, { universe: mode }: MerchantContext): void {
    const { currency, amount_minor_units: amount } = draft;
    const ceilingUsdMinorUnits = limits.ceilingUsdMinorUnits;
    const asked = { mode, currency, amountMinorUnits: BigInt(amount), enabledTokens, ceilingUsdMinorUnits };
    try {
      assertQuotable(this.rates, asked);
    } catch (error) {
      if (!isRefusal(error, 'currency_not_quotable')) throw error;
    }
  }
}

/** Derives the invoice's own stream from the series, once; answers its history. */
export async function draftFrom(
  writes: WritePath,
  event: RecordedEvent<InvoiceNumberAllocated>,
  commandId: string,
  isNew = false,
): Promise<readonly RecordedEvent[]> {
  const { invoice, sequence, number, draft } = event.data;
  const command = { type: 'draft', terms: { sequence, number, draft } } as const;
  const known = isNew ? unwritten(invoices) : undefined;
  const { history } = await writes.execute(invoices, invoice, command, continuedContext(event, commandId), known);
  return history;
}
