import type { TokenId } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import { developmentWallet } from './customer';
import { OneTimeCodes } from './one-time-codes';
import type { HttpAnswer, ServiceInProcess } from './service-in-process';

const EVM_TOKENS = { base: 'usdc-base', bnb: 'usdt-bnb' } as const;

/** The account that a shop's money goes to. */
export type Till = {
  readonly network: NetworkId;
  readonly tokenId: TokenId;
  readonly address: string;
  readonly sign: (message: string) => Promise<string>;
};

/** A merchant of test mode who is paid on a local chain, by plain calls of the API. */
export class SandboxShop {
  private walletId = '';
  private tokenId: TokenId = 'usdc-base';

  private constructor(
    private readonly service: ServiceInProcess,
    readonly key: string,
    readonly liveKey: string,
    private readonly codes: OneTimeCodes,
  ) {}

  static async register(service: ServiceInProcess, name: string): Promise<SandboxShop> {
    const { keys, totp_secret } = await service.register(name);
    return new SandboxShop(service, keys.test, keys.live, new OneTimeCodes(totp_secret));
  }

  /** Makes a shop with a proved and routed wallet: three one-time codes, as many as can be had without waiting. */
  static async open(service: ServiceInProcess, name: string, till: Till): Promise<SandboxShop> {
    const shop = await SandboxShop.register(service, name);
    const { network, tokenId, address, sign } = till;
    const terms = { network_id: network, address, label: 'Till', controls_private_key: true };
    const wallet = await shop.done('POST /v1/wallets', terms, true);
    const { challenge } = await shop.done(`POST /v1/wallets/${wallet.id}/challenge`, { method: 'signed_message' });
    const proof = { method: 'signed_message', challenge, signature: await sign(challenge) };
    await shop.done(`POST /v1/wallets/${wallet.id}/verify`, proof, true);
    const asset = tokenId.startsWith('usdc') ? 'USDC' : 'USDT';
    const routes = [{ asset_symbol: asset, network_id: network, wallet_id: wallet.id }];
    await shop.done('PUT /v1/routes', { routes }, true);
    shop.walletId = wallet.id;
    shop.tokenId = tokenId;
    return shop;
  }

  /** A shop that is paid on one of the EVM networks, at a wallet of the development key. */
  static openOnEvm(
    service: ServiceInProcess,
    name: string,
    ownerIndex: number,
    network: keyof typeof EVM_TOKENS = 'base',
  ): Promise<SandboxShop> {
    const owner = developmentWallet(ownerIndex);
    return SandboxShop.open(service, name, {
      network,
      tokenId: EVM_TOKENS[network],
      address: owner.address,
      sign: message => owner.signMessage(message),
    });
  }

  ask(line: string, body?: object, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.service.ask(line, { key: this.key, headers, ...(body && { body }) });
  }

  /** A call that must succeed; a high-risk call takes a code along. */
  async done(line: string, body?: object, highRisk = false): Promise<HttpAnswer['body']> {
    const answer = await this.ask(line, body, highRisk ? { 'mfa-code': await this.codes.next() } : {});
    if (answer.status >= 300) throw new Error(`${line}: ${answer.text}`);
    return answer.body;
  }

  create(): Promise<HttpAnswer['body']> {
    return this.done('POST /v1/payment_intents', { amount: '2500', currency: 'EUR' });
  }

  /** The id of a payment whose amount is locked. */
  async quote(): Promise<string> {
    const { id } = await this.create();
    const choice = { token_id: this.tokenId, wallet_id: this.walletId };
    await this.done(`POST /v1/payment_intents/${id}/select_method`, choice);
    return id;
  }

  payment(id: string): Promise<HttpAnswer['body']> {
    return this.done(`GET /v1/payment_intents/${id}`);
  }

  async status(id: string): Promise<string> {
    return (await this.payment(id)).status;
  }

  async events(id: string): Promise<readonly string[]> {
    const { data } = await this.done(`GET /v1/payment_intents/${id}/events?limit=100`);
    return data.map((event: { type: string }) => event.type);
  }

  play(paymentIntent: string, outcome: string, more: object = {}): Promise<HttpAnswer['body']> {
    return this.done('POST /v1/sandbox/transfers', { payment_intent: paymentIntent, outcome, ...more });
  }

  async nowMs(): Promise<number> {
    return Date.parse((await this.done('GET /v1/sandbox/clock')).now);
  }
}
