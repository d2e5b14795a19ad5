import type { PaymentIntent, UnmatchedTransfer } from '../../clients/typescript/src';
import type { Merchant, QuotedPayment } from './merchant';
import { eventually, pause } from './service-process';
import type { WebhookReceiver } from './webhook-receiver';

export type Status = PaymentIntent['status'];

export type Step = {
  /** States that it has passed on the way, each of which a webhook tells. */
  readonly via?: readonly Status[];
  /**
   * The entries that its history has gained, as `type by actor` or `settled status by actor`. Screenings are left out:
   * the moment of a payer's screening is not the story's.
   */
  readonly events?: readonly string[];
  /** The order of these depends on the moment at which a watcher looks. */
  readonly inAnyOrder?: boolean;
  /** Fields of the payment as the API answers it. */
  readonly facts?: object;
};

const STEP_LIMIT_MS = 30_000;
/** Each look is a request, and the lanes of a dozen stories look at once. */
const POLL_MS = 500;
const MOST_IN_A_LIST = 100;
const SCREENED = 'payer_screened by watcher';
const NAMED_AFTERWARDS = 'transfer_seen once more, as a named one';

/**
 * A payment as its merchant sees it from outside; every step is held against everything that a merchant can read of it.
 */
export class PaymentStory {
  private status: Status | null = null;
  private readonly history: string[] = [];
  private readonly told: string[] = [];

  constructor(
    private readonly merchant: Merchant,
    private readonly receiver: WebhookReceiver,
    readonly id: string,
  ) {}

  /** The payment as the API answers it. */
  payment(): Promise<QuotedPayment> {
    return this.merchant.payment(this.id);
  }

  /**
   * Asserts the state in the payment itself, in the lists by status, in its history, and in the webhook of each state
   * on the way.
   */
  async reached(
    status: Status,
    { via = [], events = [], inAnyOrder = false, facts = {} }: Step = {},
  ): Promise<PaymentIntent> {
    const { paymentIntents } = this.merchant.api;
    await this.gains(events, inAnyOrder);
    const payment = await paymentIntents.retrieve(this.id);
    expect(payment).toMatchObject({ ...facts, status });
    await this.isListed(status);
    for (const passed of status === this.status ? [] : [...via, status]) await this.isTold(passed);
    this.told.push(...events.flatMap(event => this.toldOfHold(event, status)));
    this.status = status;
    return payment;
  }

  /** The payment has no news. */
  async stays(facts: object = {}): Promise<void> {
    if (this.status === null) throw new Error(`${this.id} has not begun`);
    await this.reached(this.status, { facts });
  }

  /** A change of the hold is told once more by the state that stays. A rejection that ends the payment is its end. */
  private toldOfHold(event: string, status: Status): readonly string[] {
    if (event.startsWith('hold_placed')) return [`payment.${status}`];
    const stays = event.startsWith('hold_released') || (event.startsWith('hold_rejected') && status === this.status);
    return stays ? [`payment.${this.status}`] : [];
  }

  /** A webhook says that it came to that state. */
  private async isTold(status: Status): Promise<void> {
    // A quote is the merchant's own doing: no webhook tells of it.
    if (status === 'awaiting_payment') return;
    const type = `payment.${status}`;
    this.told.push(type);
    const { data } = await this.receiver.waitFor(type, this.id, STEP_LIMIT_MS);
    const { amount, currency, metadata } = await this.merchant.api.paymentIntents.retrieve(this.id);
    expect(data).toMatchObject({ id: this.id, object: 'payment_intent', status, amount, currency, metadata });
  }

  /** The payment's webhooks told exactly its states, and each has been delivered. */
  async isToldInFull(): Promise<void> {
    const { webhookEvents } = this.merchant.api;
    const events = await eventually(`the webhooks of ${this.id} are delivered`, STEP_LIMIT_MS, async () => {
      const { data } = await webhookEvents.list({ payment_intent: this.id, limit: MOST_IN_A_LIST }).firstPage();
      const deliveries = data.flatMap(event => event.deliveries);
      return deliveries.every(({ status }) => status === 'delivered') && data.length >= this.told.length ? data : null;
    });
    expect(events.map(({ type }) => type).sort()).toStrictEqual([...this.told].sort());
    const arrived = this.receiver.events.filter(({ data }) => data.id === this.id);
    expect([...new Set(arrived.map(({ id }) => id))].sort()).toStrictEqual(events.map(({ id }) => id).sort());
  }

  /** The payment's history, oldest first, as `type by actor`; a settlement names its status too. */
  async changes(): Promise<readonly string[]> {
    const { data } = await this.merchant.api.paymentIntents.events(this.id, { limit: MOST_IN_A_LIST }).firstPage();
    expect(data.map(({ revision }) => revision)).toStrictEqual(data.map((_, index) => index));
    const inferred = new Set<unknown>();
    return data.map(({ type, actor, data: facts }) => {
      // The watcher may infer the payment of a transfer before somebody names it.
      if (type === 'transfer_seen' && inferred.has(facts.transfer)) return NAMED_AFTERWARDS;
      if (type === 'transfer_seen' && facts.attribution === 'inferred') inferred.add(facts.transfer);
      const what = type === 'settled' ? `${type} ${String(facts.status)}` : type;
      return `${what} by ${actor}`;
    });
  }

  /** The transfer of this transaction, waiting in the queue for a person's decision. */
  unmatched(txHash: string): Promise<UnmatchedTransfer> {
    return eventually(`${txHash} is in the queue, with candidates`, STEP_LIMIT_MS, async () => {
      const { data } = await this.merchant.api.unmatchedTransfers.list({ limit: MOST_IN_A_LIST }).firstPage();
      return data.find(({ tx_hash, candidates }) => tx_hash === txHash && candidates.length > 0) ?? null;
    });
  }

  /** The history as soon as it is as long as that; it must then hold just that. */
  private async gains(events: readonly string[], inAnyOrder: boolean): Promise<void> {
    const length = this.history.length + events.length;
    let changes = await this.changes();
    for (const deadline = Date.now() + STEP_LIMIT_MS; Date.now() < deadline; changes = await this.changes()) {
      if (changes.filter(isOfTheStory).length >= length) break;
      await pause(POLL_MS);
    }
    const told = changes.filter(isOfTheStory);
    const gained = told.slice(this.history.length);
    expect(told.slice(0, this.history.length)).toStrictEqual(this.history);
    if (inAnyOrder) expect([...gained].sort()).toStrictEqual([...events].sort());
    else expect(gained).toStrictEqual(events);
    this.history.push(...gained);
    // No payment is confirmed that was not screened.
    const confirmed = changes.findIndex(change => change.startsWith('settled confirmed'));
    if (confirmed >= 0) expect(changes.slice(0, confirmed)).toContain(SCREENED);
  }

  private async isListed(status: Status): Promise<void> {
    const ids = async (filter: Status): Promise<readonly string[]> => {
      const { data } = await this.merchant.api.paymentIntents
        .list({ status: filter, limit: MOST_IN_A_LIST })
        .firstPage();
      return data.map(({ id }) => id);
    };
    await eventually(`${this.id} is listed as ${status}`, STEP_LIMIT_MS, async () => {
      return (await ids(status)).includes(this.id) || null;
    });
    if (this.status !== null && this.status !== status) expect(await ids(this.status)).not.toContain(this.id);
  }
}

function isOfTheStory(change: string): boolean {
  return change !== SCREENED && change !== NAMED_AFTERWARDS;
}
