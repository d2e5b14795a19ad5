import type { HDNodeWallet } from 'ethers';
import { generateSync } from 'otplib';
import type { RegisteredMerchant } from '../../src/processes/accounts/register-merchant';
import { developmentWallet } from './customer';
import type { HttpCaller, Reply } from './http-caller';
import { contentOf, type OpenApiValidation } from './openapi-validation';

export type Answer = {
  readonly status: number;
  readonly code: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Reply['headers'];
};

export type Ask = {
  readonly body?: object;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const STEP_MS = 30_000;
const OWNER_INDEX = 5;

/**
 * A merchant of a stage, with a caller for one instance of the API. Each answer is held against the contract that the
 * instance serves.
 */
export class StagedMerchant {
  readonly id: string;

  constructor(
    readonly registered: RegisteredMerchant,
    private readonly clock: { now(): number; aheadMs: number },
    private readonly caller: HttpCaller,
    /** The contract that every answer has to keep; null where time is measured. */
    private readonly contract: OpenApiValidation | null,
  ) {
    this.id = registered.merchant_id;
  }

  /** The owner of its wallets; many tests need none, and a key takes a while to derive. */
  get owner(): HDNodeWallet {
    return developmentWallet(OWNER_INDEX);
  }

  /** The same merchant, calling another instance. */
  at(caller: HttpCaller): StagedMerchant {
    return new StagedMerchant(this.registered, this.clock, caller, this.contract);
  }

  /** `GET /v1/wallets` and the like. */
  async call(line: string, { body, key = this.registered.keys.test, headers = {} }: Ask = {}): Promise<Answer> {
    const [method, path] = line.split(' ') as [string, string];
    const authorization = { authorization: `Bearer ${key}` };
    const content = body && { 'content-type': 'application/json' };
    const sent = { method, path, headers: { ...authorization, ...content, ...headers } };
    const reply = await this.caller.send(body ? { ...sent, body: JSON.stringify(body) } : sent);
    const type = reply.headers['content-type'];
    const { body: read } = contentOf(type, reply.body);
    if (path.startsWith('/v1/')) this.contract?.checkText({ method, path, status: reply.status }, type, reply.body);
    const answered = read as { error?: { code: string } };
    return { status: reply.status, code: answered.error?.code ?? null, body: answered, headers: reply.headers };
  }

  /** A call that must succeed; a high-risk call takes a code along. Answers the body. */
  async done(line: string, ask: Ask = {}, highRisk = false): Promise<Answer['body']> {
    const headers = { ...ask.headers, ...(highRisk && { 'mfa-code': this.nextCode() }) };
    const { status, body } = await this.call(line, { ...ask, headers });
    if (status !== 200) throw new Error(`${line} is answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** A code that was never used. Time jumps ahead with each, since a step serves once. */
  nextCode(): string {
    this.clock.aheadMs += STEP_MS;
    return generateSync({ secret: this.registered.totp_secret, epoch: this.clock.now() / 1_000 });
  }

  createIntent(changes: object = {}, ask: Ask = {}) {
    return this.done('POST /v1/payment_intents', { ...ask, body: { amount: '2500', currency: 'EUR', ...changes } });
  }

  createEndpoint(changes: object = {}, ask: Ask = {}) {
    const body = { url: 'http://127.0.0.1:9/hooks', enabled_events: ['*'], ...changes };
    return this.done('POST /v1/webhook_endpoints', { ...ask, body }, true);
  }

  mintKey(changes: object = {}, ask: Ask = {}) {
    const body = { kind: 'rk', name: 'Till', scopes: ['payment:read'], ...changes };
    return this.done('POST /v1/api_keys', { ...ask, body }, true);
  }

  registerWallet(changes: object = {}, ask: Ask = {}) {
    const { address } = this.owner;
    const body = { network_id: 'base', address, label: 'Till', controls_private_key: true, ...changes };
    return this.done('POST /v1/wallets', { ...ask, body }, true);
  }

  async verifyWallet(id: string, owner = this.owner, ask: Ask = {}) {
    const asked = { ...ask, body: { method: 'signed_message' } };
    const { challenge } = await this.done(`POST /v1/wallets/${id}/challenge`, asked);
    const signature = await owner.signMessage(String(challenge));
    const body = { method: 'signed_message', challenge: String(challenge), signature };
    return this.done(`POST /v1/wallets/${id}/verify`, { ...ask, body }, true);
  }

  routeTo(walletId: string, ask: Ask = {}) {
    const routes = [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: walletId }];
    return this.done('PUT /v1/routes', { ...ask, body: { routes } }, true);
  }
}
