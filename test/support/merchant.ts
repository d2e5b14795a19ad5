import { ApiClient, type ApiObject } from './api-client';
import { merchantWallet } from './customer';
import { OneTimeCodes } from './one-time-codes';
import { runCli } from './service-process';
import type { WebhookReceiver } from './webhook-receiver';

export type PaymentIntentObject = ApiObject & {
  readonly received_amount: string;
  readonly payment_method: Readonly<Record<string, string>> & { readonly rate_sources: readonly string[] };
  readonly transfers: readonly {
    readonly confirmations: number;
    readonly required_confirmations: number;
    readonly status: string;
  }[];
};

type Registered = {
  readonly merchant_id: string;
  readonly totp_secret: string;
  readonly keys: { readonly test: string };
};

/** A merchant in test mode, with everything that a payment needs, set up over the public interfaces. */
export class Merchant {
  walletId = '';

  private constructor(
    readonly id: string,
    readonly api: ApiClient,
    readonly key: string,
    readonly codes: OneTimeCodes,
  ) {}

  static async register(dataFolder: string, baseUrl: string): Promise<Merchant> {
    const password = 'plum harbour 47 lanterns';
    const email = `owner${process.hrtime.bigint()}@example.com`;
    const args = ['merchant', 'create', '--name', 'Corner Shop', '--email', email, '--password', password];
    const registered = (await runCli(dataFolder, args)) as unknown as Registered;
    const api = new ApiClient(baseUrl, registered.keys.test);
    return new Merchant(registered.merchant_id, api, registered.keys.test, new OneTimeCodes(registered.totp_secret));
  }

  async listenWith(receiver: WebhookReceiver): Promise<ApiObject> {
    const body = { url: receiver.url, enabled_events: ['*'] };
    const endpoint = await this.api.post('/v1/webhook_endpoints', body, await this.codes.next());
    receiver.secret = String(endpoint.secret);
    return endpoint;
  }

  /** Registers the wallet, signs the challenge with its key, and proves control by the signature. */
  async verifyWallet(network: 'base' | 'bnb'): Promise<ApiObject> {
    const body = {
      network_id: network,
      address: merchantWallet.address,
      label: 'Till',
      controls_private_key: true,
    };
    const wallet = await this.api.post('/v1/wallets', body, await this.codes.next());
    const { challenge } = await this.api.post<{ challenge: string }>(`/v1/wallets/${wallet.id}/challenge`, {
      method: 'signed_message',
    });
    const proof = { method: 'signed_message', challenge, signature: await merchantWallet.signMessage(challenge) };
    this.walletId = wallet.id;
    return this.api.post(`/v1/wallets/${wallet.id}/verify`, proof, await this.codes.next());
  }

  async routeTo(asset: 'USDC' | 'USDT', network: 'base' | 'bnb'): Promise<void> {
    const routes = [{ asset_symbol: asset, network_id: network, wallet_id: this.walletId }];
    await this.api.put('/v1/routes', { routes }, await this.codes.next());
  }

  createIntent(amount: string, currency: string): Promise<PaymentIntentObject> {
    return this.api.post('/v1/payment_intents', { amount, currency, metadata: { order: '42' } });
  }

  selectMethod(id: string, tokenId: string): Promise<PaymentIntentObject> {
    return this.api.post(`/v1/payment_intents/${id}/select_method`, { token_id: tokenId, wallet_id: this.walletId });
  }

  payment(id: string): Promise<PaymentIntentObject> {
    return this.api.get(`/v1/payment_intents/${id}`);
  }
}
