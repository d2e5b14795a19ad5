import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { operatorContext } from '../../../../src/cli/operator-context';
import { compose } from '../../../../src/composition/compose';
import type { Service } from '../../../../src/composition/service';
import { DAY_MS } from '../../../../src/kernel/clock';
import { StoreUnavailable, type EventStore } from '../../../../src/kernel/ports/event-store';
import type { WebhookOutcome, WebhookRequest } from '../../../../src/kernel/ports/webhook-sender';
import { feeAccruals } from '../../../../src/modules/fees/fee-accrual.decider';
import { RegisterMerchant, type RegisteredMerchant } from '../../../../src/processes/accounts/register-merchant';
import { loadConfig } from '../../../../src/platform/config/config';
import type { ApiDocument } from '../../../../src/platform/docs/api-document';
import { FixedSource } from '../../../../src/platform/rates/fixed-source';
import { watchPolicy } from '../../../../src/vocabulary/watch-policy';
import { seededEntropy } from '../../../processes/outage-stage';
import { SteppedClock } from '../../../projections/runner/stepped-clock';
import { hashCheaply } from '../../../support/cheap-hashes';
import { MemoryDocuments } from '../../../support/memory-documents';
import { MemoryEventStore } from '../../../support/memory-event-store';
import { contentOf } from '../../../support/openapi-validation';
import { PlayedChain } from '../../../support/played-chain';
import { stagePorts } from '../../../support/stage-ports';

const STEP_MS = 500;
/** After so many turns of the event loop, all that can be done without time has been done. */
const TURNS_TO_REST = 50;
const CALL_LIMIT_STEPS = 400;
const TOTP_STEP_MS = 30_000;
/** The end of a day becomes final in a quarter of this time; the books look at the chain every 15 seconds. */
const BOOKS_MS = 90_000;
const PASSWORD = 'plum harbour 47 lanterns';

export type Answered = {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

export type Asked = {
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A fresh one-time code is sent along. */
  readonly mfa?: true;
  /** A key in place of the merchant's own; null: none. */
  readonly key?: string | null;
};

/**
 * The whole service of one merchant, all of whose clocks, ids and chains follow from the calls alone: the same calls
 * have the same answers.
 */
export class ExampleStage {
  readonly clock = new SteppedClock();
  readonly played = new PlayedChain(this.clock);
  readonly sent: WebhookRequest[] = [];
  merchant!: RegisteredMerchant;
  /** While true the event store cannot be reached by those who ask whether it can. */
  isStoreAway = false;
  private service!: Service;
  private app!: NestFastifyApplication;

  static async open(): Promise<ExampleStage> {
    hashCheaply();
    const stage = new ExampleStage();
    const config = loadConfig({
      MODES: 'test,live',
      SANDBOX_CHAINS: 'off',
      PUBLIC_URL: 'https://pay.example',
    });
    const { clock, played, sent } = stage;
    const policy = watchPolicy('test', true);
    const base = {
      mode: 'test',
      network: 'base',
      chain: played.chain,
      balances: played.chain,
      instance: 'played',
      policy,
      local: played,
    } as const;
    const sources = [new FixedSource('sandbox-a', clock), new FixedSource('sandbox-b', clock)];
    const ports = stagePorts({
      clock,
      entropy: seededEntropy(),
      store: stage.reached(new MemoryEventStore()),
      documents: new MemoryDocuments(),
      isAlone: true,
      watched: [base],
      rates: { test: sources, live: sources },
      webhooks: { send: request => Promise.resolve(taken(sent, request)) },
    });
    stage.service = await compose(config, ports);
    await stage.service.start();
    ({ app: stage.app } = await stage.service.composeHttpApi({ rateLimits: null }));
    // A request that comes over no socket lacks these.
    const server = stage.app.getHttpAdapter().getInstance();
    server.addHook('onRequest', ({ raw, headers }, _reply, done) => {
      const distinct = Object.entries(headers).map(([name, value]) => [name, [value].flat()]);
      done(void Object.assign(raw, { headersDistinct: Object.fromEntries(distinct) as object }));
    });
    await stage.app.init();
    await server.ready();
    await stage.pass(STEP_MS);
    const context = operatorContext({ ...stage.service.parts.core, user: 'alice' });
    const register = new RegisterMerchant('Corner Shop', 'owner@shop.example', PASSWORD, context);
    stage.merchant = await stage.app.get(CommandBus).execute(register);
    return stage;
  }

  /** Asks `POST /v1/wallets` and the like; time passes until the answer is there. */
  async ask(line: string, { body, headers = {}, mfa, key = this.merchant.keys.test }: Asked = {}): Promise<Answered> {
    const [method, url] = line.split(' ') as ['GET' | 'POST' | 'PUT', string];
    const code = mfa && { 'mfa-code': await this.freshCode() };
    const reply = await this.passing(
      this.app.inject({
        method,
        url,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...code,
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    return { status: reply.statusCode, body: contentOf(String(reply.headers['content-type']), reply.body).body };
  }

  /** The fees of a live payment and an adjustment, with a fee invoice that was paid, and another one that is open. */
  async invoiceFees(): Promise<{ readonly paid: string; readonly open: string }> {
    const { core, fees } = this.service.parts;
    const { merchant_id: merchantId } = this.merchant;
    const context = () => ({ ...operatorContext({ ...core, user: 'alice' }), universe: 'live', merchantId }) as const;
    const accrue = { type: 'accrue', currency: 'EUR', reckonedOnMinorUnits: 250_000n, bps: 50 } as const;
    await core.writes.execute(feeAccruals, `pi_${this.merchant.user_id.slice(-26)}`, accrue, context());
    const paid = await this.passing(fees.billing.invoice('EUR', context()));
    await fees.billing.pay(paid.id, 'Bank 17', context());
    const correction = { currency: 'EUR', amountMinorUnits: 300n, paymentIntent: null, memo: 'A month of support' };
    await fees.billing.adjust(correction, context());
    const open = await this.passing(fees.billing.invoice('EUR', context()));
    await this.pass(STEP_MS);
    return { paid: paid.id, open: open.id };
  }

  async document(): Promise<ApiDocument> {
    return (await this.ask('GET /openapi.json')).body as ApiDocument;
  }

  /** A code that was never used: time passes to the next one. */
  async freshCode(): Promise<string> {
    await this.pass(TOTP_STEP_MS);
    return generateSync({ secret: this.merchant.totp_secret, epoch: this.clock.now() / 1_000 });
  }

  /** Time passes in steps, each of which begins when all is at rest, so its order is always the same. */
  async pass(durationMs: number): Promise<void> {
    const endMs = this.clock.now() + durationMs;
    while (this.clock.now() < endMs) {
      await atRest();
      await this.step();
    }
    await atRest();
  }

  /** The rest of the day passes at once, and the chain goes on in the next one until this one's books are closed. */
  async endDay(): Promise<void> {
    this.clock.step(DAY_MS - (this.clock.now() % DAY_MS));
    await this.pass(BOOKS_MS);
  }

  async close(): Promise<void> {
    await this.passing(this.service.stop());
  }

  private async passing<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const mark = (): void => void (isDone = true);
    work.then(mark, mark);
    for (let steps = 0; ; steps++) {
      await atRest();
      if (isDone) return work;
      if (steps > CALL_LIMIT_STEPS) throw new Error('no answer came');
      await this.step();
    }
  }

  /** The chain makes blocks as time passes. */
  private async step(): Promise<void> {
    this.clock.step(STEP_MS);
    if (this.clock.now() % 1_000 === 0) await this.played.mine(1);
  }

  private reached(store: EventStore): EventStore {
    const lastPosition: EventStore['lastPosition'] = () =>
      this.isStoreAway ? Promise.reject(new StoreUnavailable('away on purpose')) : store.lastPosition();
    return Object.assign(Object.create(store) as EventStore, { lastPosition });
  }
}

function taken(sent: WebhookRequest[], request: WebhookRequest): WebhookOutcome {
  sent.push(request);
  return { statusCode: 200, error: null, latencyMs: 84, responseExcerpt: 'ok' };
}

async function atRest(): Promise<void> {
  for (let turn = 0; turn < TURNS_TO_REST; turn++) await nextTurn();
}
