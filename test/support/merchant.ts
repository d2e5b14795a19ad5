import type {
  IssuedWebhookEndpoint,
  PaymentIntent,
  PaymentMethod,
  Quittance,
  Wallet,
} from '../../clients/typescript/src';
import { publishedClient, type ClientOptions } from './api-client';
import { hashCheaply } from './cheap-hashes';
import type { NetworkId } from '../../src/vocabulary/networks';
import { merchantWallet, type WalletOwner } from './customer';
import { runCli } from './command-line';
import { OneTimeCodes } from './one-time-codes';
import type { WebhookReceiver } from './webhook-receiver';

/** A payment whose token is chosen. */
export type QuotedPayment = PaymentIntent & { readonly payment_method: PaymentMethod };

/** The command line program's output for a new merchant, as far as it is used here. */
export type Registered = {
  readonly merchant_id: string;
  readonly totp_secret: string;
  readonly keys: { readonly test: string };
};

/** A merchant in test mode, with everything that a payment needs, set up over the public interfaces. */
export class Merchant {
  walletId = '';

  private constructor(
    readonly id: string,
    readonly api: Quittance,
    readonly key: string,
    readonly codes: OneTimeCodes,
  ) {}

  static async register(
    dataFolder: string,
    baseUrl: string,
    options?: ClientOptions,
    env?: Readonly<Record<string, string>>,
  ): Promise<Merchant> {
    hashCheaply();
    const password = 'plum harbour 47 lanterns';
    const email = `owner${process.hrtime.bigint()}@example.com`;
    const args = ['merchant', 'create', '--name', 'Corner Shop', '--email', email, '--password', password];
    return Merchant.of((await runCli(dataFolder, args, env)) as unknown as Registered, baseUrl, options);
  }

  static of({ merchant_id, totp_secret, keys }: Registered, baseUrl: string, options?: ClientOptions): Merchant {
    const api = publishedClient(baseUrl, keys.test, options);
    return new Merchant(merchant_id, api, keys.test, new OneTimeCodes(totp_secret));
  }

  /** The same merchant, by another process of the API. */
  at(baseUrl: string, options?: ClientOptions): Merchant {
    const other = new Merchant(this.id, publishedClient(baseUrl, this.key, options), this.key, this.codes);
    other.walletId = this.walletId;
    return other;
  }

  async listenWith(receiver: WebhookReceiver): Promise<IssuedWebhookEndpoint> {
    const mfaCode = await this.codes.next();
    const endpoint = await this.api.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] }, { mfaCode });
    receiver.secret = endpoint.secret;
    return endpoint;
  }

  /** Registers the wallet, signs the challenge with its key, and proves control by the signature. */
  async verifyWallet(network: NetworkId, owner: WalletOwner = merchantWallet()): Promise<Wallet> {
    const terms = { network_id: network, address: owner.address, label: 'Till', controls_private_key: true };
    const wallet = await this.api.wallets.create(terms, { mfaCode: await this.codes.next() });
    const issued = await this.api.wallets.challenge(wallet.id, { method: 'signed_message' });
    if (!('challenge' in issued)) throw new Error(`there is nothing to sign in ${JSON.stringify(issued)}`);
    const { challenge } = issued;
    const signature = await owner.signMessage(challenge);
    this.walletId = wallet.id;
    const proof = { method: 'signed_message', challenge, signature } as const;
    return this.api.wallets.verify(wallet.id, proof, { mfaCode: await this.codes.next() });
  }

  async routeTo(asset: 'USDC' | 'USDT', network: NetworkId): Promise<void> {
    const routes = [{ asset_symbol: asset, network_id: network, wallet_id: this.walletId }];
    await this.api.routes.set({ routes }, { mfaCode: await this.codes.next() });
  }

  createIntent(amount: string, currency: string): Promise<PaymentIntent> {
    return this.api.paymentIntents.create({ amount, currency, metadata: { order: '42' } });
  }

  async selectMethod(id: string, tokenId: PaymentMethod['token_id']): Promise<QuotedPayment> {
    const choice = { token_id: tokenId, wallet_id: this.walletId };
    return quoted(await this.api.paymentIntents.selectMethod(id, choice));
  }

  async payment(id: string): Promise<QuotedPayment> {
    return quoted(await this.api.paymentIntents.retrieve(id));
  }
}

function quoted(payment: PaymentIntent): QuotedPayment {
  if (payment.payment_method === null) throw new Error(`${payment.id} has no token yet`);
  return payment as QuotedPayment;
}
