import { ConnectionError, RefusedError } from '../../clients/typescript/src';
import { Customer } from '../support/customer';
import { Merchant, type QuotedPayment } from '../support/merchant';
import { eventually } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';
import type { Deployment } from './deployment';

/** A quote holds 15 minutes; a step that takes longer than this has gone wrong. */
const STEP_LIMIT_MS = 300_000;
const AMOUNT = '2500';
/** One more than the confirmations that the test chain of Base asks for. */
const BLOCKS = 13;
const TOLD = ['payment.created', 'payment.detected', 'payment.confirming', 'payment.confirmed'] as const;

/**
 * One merchant, whose customers pay while everything around them is killed. The shop asks again where a connection
 * broke.
 */
export class Shop {
  readonly payments: string[] = [];
  private asked = 0;

  private constructor(
    private readonly merchants: readonly Merchant[],
    private readonly receiver: WebhookReceiver,
    private readonly customer: Customer,
  ) {}

  static async open({ dataFolder, env, apiUrls }: Deployment): Promise<Shop> {
    const receiver = await WebhookReceiver.start();
    const [url = '', ...others] = apiUrls;
    const merchant = await Merchant.register(dataFolder, url, undefined, env);
    await merchant.listenWith(receiver);
    await merchant.verifyWallet('base');
    await merchant.routeTo('USDC', 'base');
    const merchants = [merchant, ...others.map(other => merchant.at(other))];
    return new Shop(merchants, receiver, Customer.onSandbox(dataFolder, 'base'));
  }

  /** From the price to `confirmed`, by whichever process of the API answers. */
  async sell(): Promise<void> {
    const { id } = await this.persistently('an intent', merchant => merchant.createIntent(AMOUNT, 'EUR'));
    this.payments.push(id);
    const { payment_method: method } = await this.quote(id);
    await this.customer.pay(
      String(method.token_contract),
      String(method.address),
      String(method.token_amount_base_units),
    );
    await this.customer.mine(BLOCKS);
    await this.persistently(`${id} is confirmed`, async merchant => {
      return (await merchant.payment(id)).status === 'confirmed' || null;
    });
  }

  /** The faults of the sales; empty where all is right. */
  async faults(): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const id of this.payments) {
      const { status, received_amount, transfers } = await this.persistently(id, merchant => merchant.payment(id));
      const credits = transfers.filter(transfer => transfer.status === 'credited').length;
      if (status !== 'confirmed' || received_amount !== AMOUNT || credits !== 1 || transfers.length !== 1)
        faults.push(`${id} is ${status}, received ${received_amount} of ${AMOUNT}, ${credits} transfers credited`);
      for (const type of TOLD) {
        const count = await this.told(type, id);
        if (count !== 1) faults.push(`${id}: ${count} events ${type}`);
      }
    }
    if (this.receiver.refused > 0) faults.push(`${this.receiver.refused} deliveries had a wrong signature`);
    return faults;
  }

  get deliveries(): number {
    return this.receiver.events.length;
  }

  get eventsTold(): number {
    return new Set(this.receiver.events.map(({ id }) => id)).size;
  }

  async close(): Promise<void> {
    this.customer.close();
    await this.receiver.close();
  }

  /** Different events of a type about a payment; one event may have come several times. */
  private async told(type: string, id: string): Promise<number> {
    await this.receiver.waitFor(type, id, STEP_LIMIT_MS);
    const events = this.receiver.events.filter(event => event.type === type && event.data.id === id);
    return new Set(events.map(event => event.id)).size;
  }

  private async quote(id: string): Promise<QuotedPayment> {
    return this.persistently(`a quote of ${id}`, async merchant => {
      try {
        return await merchant.selectMethod(id, 'usdc-base');
      } catch (error) {
        // The answer was lost, not the quote: it is there to be read.
        if (error instanceof RefusedError && error.code === 'invalid_state_transition') return merchant.payment(id);
        throw error;
      }
    });
  }

  private persistently<T>(what: string, ask: (merchant: Merchant) => Promise<T | null>): Promise<T> {
    return eventually(what, STEP_LIMIT_MS, async () => {
      const merchant = this.merchants[this.asked++ % this.merchants.length] as Merchant;
      try {
        return await ask(merchant);
      } catch (error) {
        const isPassing =
          error instanceof ConnectionError ||
          (error instanceof RefusedError && (error.status >= 500 || error.status === 429));
        if (!isPassing) throw error;
        return null;
      }
    });
  }
}
