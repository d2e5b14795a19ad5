import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { continuedContext, type MerchantContext } from '../../kernel/command-context';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Loaded } from '../../kernel/loaded';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { unwritten, type WritePath } from '../../kernel/write-path';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { commandId } from '../../vocabulary/ids';
import type { PaymentSettings } from '../../vocabulary/payment-settings';
import {
  IssueInvoice,
  VoidInvoice,
  type IssuedInvoice,
} from '../../modules/invoices/commands/invoice-payments.command';
import { countingNew } from '../../modules/controls/new-payments';
import type { VelocityCounts } from '../../modules/controls/velocity-counts';
import { invoices } from '../../modules/invoices/invoice.decider';
import type { InvoiceEvent, InvoiceIssued } from '../../modules/invoices/invoice.events';
import type { Invoice } from '../../modules/invoices/invoice.state';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { assertQuotable } from '../../modules/quotes/quotable';
import type { RateBook } from '../../modules/quotes/rate-book';
import { invoiceRefusal, PAYMENTS_LOOKED_AT } from './former-payment';

/** A customer may press the pay button each time that the merchant voids: so often the merchant's word comes first. */
const VOIDING_TRIES = 5;

type Issue = { readonly paymentIntent: string; readonly settings: PaymentSettings; readonly context: MerchantContext };

type LoadedInvoice = Loaded<Invoice, InvoiceEvent>;
type LoadedPayment = Loaded<PaymentIntent, PaymentIntentEvent>;

/** The payments of an invoice as one command has last read or written them, by their ids. */
type SeenPayments = Map<string, LoadedPayment>;

type NewestPayment = {
  /** The payment can be canceled, and no other payment of the invoice is under way. */
  readonly isOpen: boolean;
  /** A payment of the invoice is under way, whether the newest or another one. */
  readonly isUnderWay: boolean;
};

type InvoicePaymentsParts = {
  readonly writes: WritePath;
  readonly rates: RateBook;
  readonly velocity: Pick<VelocityCounts, 'counting'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
};

/**
 * The payments of invoices. An issue is recorded in the invoice's stream before its payment is made, and names that
 * payment. So a process that was killed in between is finished by another one, and nothing is made twice.
 */
export class InvoicePayments {
  constructor(private readonly parts: InvoicePaymentsParts) {}

  /** Throws the refusals of the invoice, of its last payment, and of a new one. */
  async issue(invoice: string, settings: PaymentSettings, context: MerchantContext): Promise<IssuedInvoice> {
    const { writes, secretBox } = this.parts;
    const idKey = await secretBox.deriveKey('ids');
    const paymentIntent = commandId('pi', context.startedAt, idKey, context.commandId);
    const { defaultSuccessUrl: successUrl } = settings;
    const record = (known?: LoadedInvoice) =>
      writes.executePlan(
        invoices,
        invoice,
        (_, refusal: ErrorCode | null) => {
          const command = { type: 'issue', paymentIntent, successUrl, refusal } as const;
          return { command, context };
        },
        context,
        { readsFirst: true, known, find: ({ state }) => this.refusalOf(state, context, settings) },
      );
    const { events, state, history } = await this.counting(invoice, { paymentIntent, settings, context }, record);
    const issued = events.find(isIssue);
    invariant(issued, `${invoice} was issued without a payment`);
    // A first try has just recorded the issue, and the group is seldom faster.
    await this.create(issued, state, context.isFirstTry === true ? unwritten(paymentIntents) : undefined, context);
    return { paymentIntent: issued.data.payment_intent, history };
  }

  /** The invoice is read first, for its amount, where the merchant has a limit. */
  private async counting<T>(
    invoice: string,
    { paymentIntent: id, settings, context }: Issue,
    record: (known?: LoadedInvoice) => Promise<T>,
  ) {
    const { writes, velocity, rates } = this.parts;
    const { limits, enabledTokens } = settings;
    if (limits.velocity === null) return record();
    const loaded = await writes.load(invoices, context.universe, invoice);
    const { state, history } = loaded;
    const isIssued = history.some(({ metadata }) => metadata.command_id === context.commandId);
    if (state.status === 'none' || isIssued) return record(loaded);
    const { currency, amount_minor_units: minorUnits } = state.terms.draft;
    const order = { mode: context.universe, currency, amountMinorUnits: BigInt(minorUnits) };
    const amount = { ...order, enabledTokens };
    return countingNew(velocity, rates, { id, amount, limits, context }, () => record(loaded));
  }

  /** Ends the invoice once no payment can pay it. Throws Refusal resource_missing or invalid_state_transition. */
  async void(invoice: string, context: MerchantContext): Promise<readonly RecordedEvent[]> {
    const { writes } = this.parts;
    const seen: SeenPayments = new Map();
    let known: LoadedInvoice | undefined;
    for (let tries = 1; ; tries++) {
      const { events, ...loaded } = await writes.executePlan(
        invoices,
        invoice,
        (_, { isOpen, isUnderWay }: NewestPayment) =>
          isOpen ? null : { command: { type: 'void', isUnderWay } as const, context },
        context,
        { readsFirst: true, known, find: ({ state }) => this.newestPayment(state, context, seen) },
      );
      if (events.length > 0) return loaded.history;
      if (tries >= VOIDING_TRIES) throw refuse('invalid_state_transition');
      const issued = loaded.history.findLast(isIssue);
      invariant(issued, `${invoice} is not void, and was never issued`);
      const id = issued.data.payment_intent;
      seen.set(id, await this.cancel(issued, loaded.state, seen, context));
      known = loaded;
    }
  }

  private async newestPayment(invoice: Invoice, context: MerchantContext, seen: SeenPayments): Promise<NewestPayment> {
    if (invoice.status !== 'open') return { isOpen: false, isUnderWay: false };
    const payments = await this.paymentsOf(invoice.payments, context, seen);
    const newest = payments.at(-1) as PaymentIntent;
    const isUnpaid = ['none', 'created', 'awaiting_payment'].includes(newest.status);
    const isAlone = invoiceRefusal(payments.slice(0, -1)) === null;
    return { isOpen: isUnpaid && isAlone, isUnderWay: invoiceRefusal(payments) !== null };
  }

  /** Makes the payment of an issue whose process has died before. Safe to call at any time, and as often as may be. */
  async make(event: RecordedEvent<InvoiceIssued>, invoice: string, commandId: string): Promise<void> {
    const { universe } = continuedContext(event, commandId);
    const { state } = await this.parts.writes.load(invoices, universe, invoice);
    await this.create(event, state, undefined, { commandId });
  }

  private async create(
    event: RecordedEvent<InvoiceIssued>,
    invoice: Invoice,
    known: LoadedPayment | undefined,
    { commandId }: Pick<MerchantContext, 'commandId'>,
  ): Promise<LoadedPayment> {
    const context = continuedContext(event, commandId);
    invariant(invoice.status !== 'none', `${event.stream} was issued and never drafted`);
    const { draft } = invoice.terms;
    const terms = {
      amount_minor_units: draft.amount_minor_units,
      currency: draft.currency,
      currency_decimals: draft.currency_decimals,
      metadata: draft.metadata,
      description: draft.description,
      success_url: event.data.success_url,
      restarted_from: null,
      payment_link: null,
      invoice: parseStreamName(event.stream).id,
    };
    const command = { type: 'create', terms } as const;
    return this.parts.writes.executePlan(
      paymentIntents,
      event.data.payment_intent,
      payment => (payment.state.status === 'none' ? { command, context } : null),
      context,
      { known },
    );
  }

  /** Reads alone: an issue whose payment is missing is finished by the group. */
  private async refusalOf(state: Invoice, context: MerchantContext, settings: PaymentSettings) {
    if (state.status === 'none' || state.status === 'void') return null;
    const made = state.status === 'paid' ? [state.paidBy] : state.payments;
    const refusal = invoiceRefusal(await this.paymentsOf(made, context));
    if (refusal !== null || state.status === 'paid') return refusal;
    const { isPaused, enabledTokens, limits } = settings;
    if (isPaused) throw refuse('payments_paused');
    const { currency, amount_minor_units: amount } = state.terms.draft;
    assertQuotable(this.parts.rates, {
      mode: context.universe,
      currency,
      amountMinorUnits: BigInt(amount),
      enabledTokens,
      ceilingUsdMinorUnits: limits.ceilingUsdMinorUnits,
    });
    return null;
  }

  /** A canceled payment stays as it is, so nobody reads it again. */
  private async paymentsOf(
    made: readonly string[],
    { universe }: MerchantContext,
    seen: SeenPayments = new Map(),
  ): Promise<readonly PaymentIntent[]> {
    const { writes } = this.parts;
    const stateOf = async (id: string) => {
      const before = seen.get(id);
      if (before?.state.status === 'canceled') return before.state;
      const payment = await writes.load(paymentIntents, universe, id);
      seen.set(id, payment);
      return payment.state;
    };
    return Promise.all(made.slice(-PAYMENTS_LOOKED_AT).map(stateOf));
  }

  /** Answers the payment, which is canceled. The process that recorded the issue may not have made the payment yet. */
  private async cancel(
    issued: RecordedEvent<InvoiceIssued>,
    invoice: Invoice,
    seen: SeenPayments,
    context: MerchantContext,
  ): Promise<LoadedPayment> {
    const { payment_intent: id } = issued.data;
    const read = seen.get(id);
    invariant(read, `${id} is canceled unread`);
    const isMade = read.state.status !== 'none';
    const known = isMade ? read : await this.create(issued, invoice, read, { commandId: `${context.commandId}/make` });
    return this.parts.writes.executePlan(
      paymentIntents,
      id,
      ({ state }) => (state.status === 'canceled' ? null : { command: { type: 'cancel' }, context }),
      context,
      { known },
    );
  }
}

function isIssue(event: RecordedEvent<InvoiceEvent>): event is RecordedEvent<InvoiceIssued> {
  return event.type === 'InvoiceIssued';
}

@CommandHandler(IssueInvoice)
export class IssueInvoiceHandler implements ICommandHandler<IssueInvoice> {
  constructor(private readonly payments: InvoicePayments) {}

  execute({ invoice, settings, context }: IssueInvoice): Promise<IssuedInvoice> {
    return this.payments.issue(invoice, settings, context);
  }
}

@CommandHandler(VoidInvoice)
export class VoidInvoiceHandler implements ICommandHandler<VoidInvoice> {
  constructor(private readonly payments: InvoicePayments) {}

  execute({ invoice, context }: VoidInvoice): Promise<readonly RecordedEvent[]> {
    return this.payments.void(invoice, context);
  }
}
