import type { MerchantContext } from '../../../src/kernel/command-context';
import type { MerchantClocks } from '../../../src/kernel/merchant-clocks';
import type { EventStore } from '../../../src/kernel/ports/event-store';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { SystemCommands } from '../../../src/kernel/system-commands';
import { WritePath } from '../../../src/kernel/write-path';
import { DraftInvoice, DraftInvoiceHandler } from '../../../src/modules/invoices/commands/draft-invoice.command';
import { DEFAULT_SETTINGS, factsOf } from '../../../src/modules/merchants/merchant-settings';
import { isPaused } from '../../../src/modules/merchants/merchants.read-model';
import type { RateBook } from '../../../src/modules/quotes/rate-book';
import { InvoiceGroup } from '../../../src/processes/invoices/invoice-group';
import { InvoicePayments } from '../../../src/processes/invoices/invoice-payments';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { draftOf } from '../../modules/invoices/invoice-terms';
import { CountingEntropy } from '../../support/fixture-doubles';
import { fixedBox } from '../../support/fixed-data-keys';
import { DEFAULT_PAYMENT_LIMITS } from '../../support/payment-limits';
import { UNCOUNTED } from '../../support/uncounted';

const RATES = { isListed: () => true, quote: () => ({ rate: '1.08', dollarRate: '1', observations: [] }) };
const SETTINGS = factsOf(DEFAULT_SETTINGS);
/** No two processes draw the same. */
const ENTROPY = new CountingEntropy();

/** The parts of one process that make and pay invoices, over a log that may fail. */
export class InvoiceProcess {
  readonly writes: WritePath;
  readonly payments: InvoicePayments;
  readonly group: InvoiceGroup;
  /** Of unpaid fee invoices: the moments from which on live mode takes no new payments. */
  pauses: readonly { readonly fee_invoice: string; readonly pauses_at: string }[] = [];
  private readonly drafting: DraftInvoiceHandler;

  constructor(
    private readonly store: EventStore,
    clock: MerchantClocks,
  ) {
    const rates = RATES as unknown as RateBook;
    const entropy = ENTROPY;
    const secretBox = fixedBox(Buffer.alloc(32, 7), entropy);
    this.writes = new WritePath(store, clock, () => Promise.resolve());
    this.payments = new InvoicePayments({ writes: this.writes, rates, velocity: UNCOUNTED, secretBox });
    this.group = new InvoiceGroup(this.writes, new SystemCommands(this.writes, clock, entropy), this.payments, entropy);
    this.drafting = new DraftInvoiceHandler(this.writes, rates, store, secretBox);
  }

  async draft(context: MerchantContext): Promise<string> {
    const order = { prefix: 'INV-', draft: draftOf(), enabledTokens: TOKEN_IDS, limits: DEFAULT_PAYMENT_LIMITS };
    return (await this.drafting.execute(new DraftInvoice(order, context))).id;
  }

  /** Issues with the account as it is now: only an unpaid fee invoice pauses it. */
  async issue(id: string, context: MerchantContext): Promise<string> {
    const merchant = { status: 'active', pauses: this.pauses } as const;
    const settings = {
      enabledTokens: SETTINGS.enabled_tokens,
      defaultSuccessUrl: SETTINGS.default_success_url,
      isPaused: isPaused({ merchant, killSwitch: null }, context.universe, context.now),
      limits: DEFAULT_PAYMENT_LIMITS,
    };
    return (await this.payments.issue(id, settings, context)).paymentIntent;
  }

  /** Hands the group every event of the log, as often as may be and in the log's order. */
  async catchUp(): Promise<void> {
    const reading = new AbortController();
    const filter = { categories: ['invoice_series', 'invoice', 'payment_intent'] };
    for await (const { events, live } of this.store.subscribe(filter, START_OF_LOG, reading.signal)) {
      for (const event of events) await this.group.handle({ event, retries: 0 });
      if (live) reading.abort();
    }
  }
}
