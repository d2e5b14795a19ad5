import type { PaymentIntent, PaymentMethod } from '../../clients/typescript/src';
import { merchantWallet, type WalletOwner } from '../support/customer';
import { runCli } from '../support/command-line';
import { Merchant, type QuotedPayment } from '../support/merchant';
import { tronOwner } from '../support/tron-customer';
import { WebhookReceiver } from '../support/webhook-receiver';
import { browserOn } from './browser-customer';
import { ETHERS, TRONWEB, type Payer, type Software } from './customers';
import { say } from './story';

const STEP_LIMIT_MS = 30_000;
const TRON_OWNER_INDEX = 6;

/** The price of a sale, and the software by which the customer pays. */
export type Market = {
  readonly name: string;
  readonly network: 'base' | 'tron';
  readonly asset: PaymentMethod['asset_symbol'];
  readonly tokenId: PaymentMethod['token_id'];
  readonly owner: WalletOwner;
  readonly software: Software;
};

export const MARKETS: readonly Market[] = [
  {
    name: 'Base',
    network: 'base',
    asset: 'USDC',
    tokenId: 'usdc-base',
    owner: merchantWallet(),
    software: ETHERS,
  },
  {
    name: 'TRON',
    network: 'tron',
    asset: 'USDT',
    tokenId: 'usdt-tron',
    owner: tronOwner(TRON_OWNER_INDEX),
    software: TRONWEB,
  },
];

/** One merchant who is paid on one network. */
export class Sale {
  private constructor(
    private readonly market: Market,
    private readonly merchant: Merchant,
    private readonly receiver: WebhookReceiver,
    private readonly isInBrowser: boolean,
  ) {}

  /** Makes a shop with a proved wallet: that takes as many one-time codes as can be had without waiting. */
  static async open(market: Market, dataFolder: string, baseUrl: string, isInBrowser: boolean): Promise<Sale> {
    const receiver = await WebhookReceiver.start();
    try {
      const merchant = await Merchant.register(dataFolder, baseUrl);
      say('merchant', `${merchant.id} is registered, with a test key`);
      await merchant.listenWith(receiver);
      say('webhooks', `go to ${receiver.url}, checked with our client and with the published stripe library`);
      const { address, status } = await merchant.verifyWallet(market.network, market.owner);
      say('wallet', `${address} on ${market.name} is ${status}: it signed the challenge itself`);
      return new Sale(market, merchant, receiver, isInBrowser);
    } catch (error) {
      await receiver.close();
      throw error;
    }
  }

  /** By the operator: the API would wait for a fourth one-time code, one more than can be had without waiting. */
  async route(dataFolder: string): Promise<string> {
    const { asset, network, name } = this.market;
    await runCli(dataFolder, ['route', 'set', asset, network, this.merchant.walletId]);
    return `${asset} on ${name} lands in that wallet, by the operator's command line`;
  }

  /** From the price to `confirmed`; every step's webhook has arrived when it resolves. */
  async take(dataFolder: string): Promise<QuotedPayment> {
    const intent = await this.merchant.createIntent('2500', 'EUR');
    say('intent', `${intent.id}: 25.00 EUR, ${intent.status}`);
    say('checkout', intent.checkout_url);
    const payer = await this.software.open(dataFolder);
    try {
      const quoted = await this.quoted(intent, payer);
      await this.follow(quoted, payer);
      for (const line of (await payer.readReceipt?.()) ?? []) say('receipt', line);
    } finally {
      await payer.close();
    }
    return this.credited(intent.id);
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private get software(): Software {
    return this.isInBrowser ? browserOn(this.market) : this.market.software;
  }

  private async quoted({ id, checkout_url }: PaymentIntent, payer: Payer): Promise<QuotedPayment> {
    if (payer.choose) {
      await payer.choose(checkout_url);
      say('browser', 'the customer has chosen token and network on the payment’s page');
    }
    const quoted = payer.choose
      ? await this.merchant.payment(id)
      : await this.merchant.selectMethod(id, this.market.tokenId);
    const { token_amount, rate_sources, pay_uri } = quoted.payment_method;
    const sources = rate_sources.join(', ');
    say('quote', `${quoted.status}: pay exactly ${token_amount} ${this.market.asset} (rates: ${sources})`);
    say('pay uri', pay_uri);
    return quoted;
  }

  private async follow(payment: QuotedPayment, payer: Payer): Promise<void> {
    const { id } = payment;
    const txHash = await payer.pay(payment);
    say('customer', `sent it from their own wallet, by ${this.software.name}: ${txHash}`);
    for (const status of ['detected', 'confirming', 'confirmed']) {
      if (status === 'confirmed') await this.mineToDepth(id, payer);
      const event = await this.receiver.waitFor(`payment.${status}`, id, STEP_LIMIT_MS);
      say(status, `webhook ${event.id} arrived and its signature holds`);
    }
  }

  /** Blocks come once a second by themselves; waiting out the depth would only be slower. */
  private async mineToDepth(id: string, payer: Payer): Promise<void> {
    const [transfer] = (await this.merchant.payment(id)).transfers;
    if (!transfer) throw new Error(`${id} confirms without a transfer`);
    await payer.mine(transfer.required_confirmations);
  }

  private async credited(id: string): Promise<QuotedPayment> {
    const paid = await this.merchant.payment(id);
    if (paid.status !== 'confirmed' || paid.received_amount !== paid.amount || paid.transfers.length !== 1)
      throw new Error(`not as told: ${JSON.stringify(paid)}`);
    if (this.receiver.refused > 0) throw new Error(`${this.receiver.refused} webhooks did not verify`);
    say('credited', `${paid.received_amount} of ${paid.amount} minor units, once`);
    return paid;
  }
}
