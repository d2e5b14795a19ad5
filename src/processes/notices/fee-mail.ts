import { DAY_MS, isoTime, MINUTE_MS, parseIsoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { everyDocument } from '../../kernel/every-document';
import { Interruptions } from '../../kernel/interruptions';
import { repeat } from '../../kernel/jobs';
import type { Log } from '../../kernel/ports/log';
import type { MailFacts, MailKind } from '../../modules/outbox/mail-kinds';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { feeAccruals } from '../../modules/fees/fee-accrual.decider';
import { feeInvoices } from '../../modules/fees/fee-invoice.decider';
import type { FeeInvoiceEvent, FeeInvoiceFacts } from '../../modules/fees/fee-invoice.events';
import { feeInvoicesReadModel } from '../../modules/fees/fee-invoices.read-model';
import type { SettledTransferLost } from '../../modules/payment-intents/payment-intent.events';
import { currencyDecimals } from '../../vocabulary/currencies';
import { uuidV5 } from '../../vocabulary/ids';
import { PAUSE_DELAY_MS } from '../fees/fee-billing';
import type { OperatorMail } from './operator-mail';
import type { Outbox } from '../../modules/outbox/outbox';
import { recipientOf } from './recipient';

/** The merchant is warned so long before a pause. */
const WARNING_MS = 7 * DAY_MS;
const POLL_MS = 10 * MINUTE_MS;
const PAGE = 100;

type FeeMailParts = {
  readonly outbox: Outbox;
  readonly operatorMail: Pick<OperatorMail, 'tellLostFee'>;
  readonly readModels: ReadModels;
  readonly writes: Pick<WritePath, 'load'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * E-mail about fees. A merchant is told of each fee invoice, and once more before an unpaid one pauses live mode. The
 * operator is told of a fee that may have to be given back.
 */
export class FeeMail {
  private readonly interruptions: Interruptions;

  constructor(private readonly parts: FeeMailParts) {
    this.interruptions = new Interruptions(parts.clock, parts.log, 'warning of pauses was interrupted');
  }

  /** Safe to call any number of times: the message's id follows from the event. */
  async tell(event: RecordedEvent<FeeInvoiceEvent | SettledTransferLost>): Promise<void> {
    const { universe, id } = parseStreamName(event.stream);
    const { merchant_id: merchantId } = event.metadata;
    if (universe !== 'live' || merchantId === null) return;
    if (event.type === 'FeeInvoiceIssued')
      await this.put(event.id, merchantId, { kind: 'fee_invoice_issued', facts: told(id, event.data) });
    if (event.type === 'SettledTransferLost') await this.tellLost(merchantId, id, event.data.transfer_id);
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const onFault = (error: unknown): void => this.interruptions.tell(error, {});
    await repeat(() => this.warn(), { everyMs: POLL_MS, clock: this.parts.clock, onFault }, signal);
  }

  /** Warns once of each pause that is near. A merchant who has paid is not warned. */
  async warn(): Promise<void> {
    const { readModels, writes, clock } = this.parts;
    const range = { to: isoTime(clock.now() + WARNING_MS - PAUSE_DELAY_MS) };
    const query = { index: 'by_due', equals: { status: 'open' }, range, limit: PAGE };
    for await (const { id, body } of everyDocument(readModels, feeInvoicesReadModel, query)) {
      const { state } = await writes.load(feeInvoices, 'live', id);
      if (state.status !== 'open') continue;
      const mail = { kind: 'pause_announced', facts: told(id, state.facts) } as const;
      await this.put(uuidV5(`pause\n${id}`), body.merchant_id, mail);
    }
  }

  /** The fee of a payment that was settled a moment ago may not be booked yet: the fee is looked at as it stands. */
  private async tellLost(merchantId: string, paymentIntent: string, transferId: string): Promise<void> {
    const { writes, operatorMail, log } = this.parts;
    const { state } = await writes.load(feeAccruals, 'live', paymentIntent);
    if (state === null) return;
    const { currency, fee_minor_units: feeMinorUnits } = state;
    log.warn(
      { merchant: merchantId, payment: paymentIntent, fee: feeMinorUnits, currency },
      'a fee may have to be given back',
    );
    await operatorMail.tellLostFee({ merchantId, paymentIntent, transferId, fee: moneyOf(currency, feeMinorUnits) });
  }

  private async put(id: string, merchantId: string, mail: MailKind): Promise<void> {
    const { outbox, readModels, clock, log } = this.parts;
    const to = await recipientOf(readModels, merchantId);
    const isPut = await outbox.put({ id, to, merchantId, ...mail }, clock.now());
    if (isPut) log.info({ to, mail: mail.kind }, 'a merchant is told of fees by e-mail');
  }
}

function told(id: string, facts: FeeInvoiceFacts): MailFacts['fee_invoice_issued'] {
  const { number, currency, amount_minor_units: minorUnits, due_at: dueAt } = facts;
  return { id, number, amount: moneyOf(currency, minorUnits), dueAt, pausesAt: isoTime(pauseOf(facts)) };
}

function moneyOf(currency: string, minorUnits: string): MailFacts['lost_fee']['fee'] {
  return { currency, minorUnits, decimals: currencyDecimals(currency) ?? 0 };
}

function pauseOf({ due_at }: FeeInvoiceFacts): number {
  return parseIsoTime(due_at) + PAUSE_DELAY_MS;
}
