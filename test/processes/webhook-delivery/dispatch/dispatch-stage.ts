import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ALL_PROJECTIONS } from '../../../../projections/all';
import { ProjectionRunner } from '../../../../projections/runner/projection-runner';
import { mirrorWriter, StoredReadModels } from '../../../../projections/runner/read-models';
import { runProcesses } from '../../../../src/composition/background';
import type { Core } from '../../../../src/composition/core';
import { NEWEST_API_VERSION } from '../../../../src/kernel/api-versions';
import { SECOND_MS } from '../../../../src/kernel/clock';
import type { Mode } from '../../../../src/kernel/event';
import type { WebhookOutcome, WebhookRequest } from '../../../../src/kernel/ports/webhook-sender';
import { WritePath } from '../../../../src/kernel/write-path';
import { paymentIntents } from '../../../../src/modules/payment-intents/payment-intent.decider';
import { StoredMerchantClocks } from '../../../../src/modules/sandbox/stored-merchant-clocks';
import { webhookEndpoints } from '../../../../src/modules/webhooks/webhook-endpoint.decider';
import type { WebhookUrl } from '../../../../src/modules/webhooks/webhook-url';
import type { Notifying } from '../../../../src/composition/notices';
import type { Payments } from '../../../../src/composition/payments';
import { loadConfig } from '../../../../src/platform/config/config';
import { createLogger } from '../../../../src/platform/logging/logger';
import { AesSecretBox } from '../../../../src/platform/secrets/aes-secret-box';
import { composeWebhooks, type Webhooks } from '../../../../src/composition/webhooks';
import { ensureGroups } from '../../../../src/processes/groups';
import { SteppedClock } from '../../../projections/runner/stepped-clock';
import { simulatedContext } from '../../../simulation/shops';
import { MemoryDocuments } from '../../../support/memory-documents';
import { MemoryEventStore } from '../../../support/memory-event-store';
import { seededEntropy } from '../../outage-stage';
import { ok } from '../webhook-fixture';

const KEY = Buffer.alloc(32, 7);
const CONFIG = loadConfig({
  MODES: 'test,live',
  SANDBOX_CHAINS: 'off',
  LIVE_RATE_SOURCES: 'none',
  SECRET_KEY: KEY.toString('base64'),
});
const STEP_MS = 100;
/** Whatever needs no time is done in so many turns. */
const TURNS_A_STEP = 40;
const TIMEOUT_MS = 10 * SECOND_MS;

export type Sent = { readonly url: string; readonly payment: string; readonly mode: Mode; readonly atMs: number };

/** What every process of a stage shares: stores in memory, receivers, and time that passes when the test says so. */
export class DispatchStage {
  readonly wall = new SteppedClock();
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly sent: Sent[] = [];
  /** Receivers at these addresses take the message and never answer. */
  readonly hanging = new Set<string>();
  readonly errors: string[] = [];
  answerMs = STEP_MS;
  outcome = ok;
  /** The sender breaks, which it never does. */
  faulty = false;
  /** Attempts that wait for an answer, by the receiver's address. */
  readonly underWay = new Map<string, number>();
  /** The most of them that hung at once. */
  mostHanging = 0;
  private readonly processes: StagedProcess[] = [];
  private commands = 0;

  async startProcess(): Promise<StagedProcess> {
    const process = new StagedProcess(this);
    this.processes.push(process);
    await process.start();
    return process;
  }

  /** Time passes in steps; all that needs none is done before each. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      for (let turn = 0; turn < TURNS_A_STEP; turn++) await nextTurn();
      this.wall.step(STEP_MS);
    }
    for (let turn = 0; turn < TURNS_A_STEP; turn++) await nextTurn();
  }

  async passUntil(holds: () => boolean, limitMs: number): Promise<void> {
    for (let passedMs = 0; !holds() && passedMs < limitMs; passedMs += STEP_MS) await this.pass(STEP_MS);
  }

  async close(): Promise<void> {
    for (const process of this.processes) process.kill();
    await this.store.close();
  }

  /** Answers the endpoint's address. */
  async endpoint(merchantId: string, number: number, mode: Mode = 'live'): Promise<string> {
    const id = endpointId(merchantId, number, mode);
    const url = `https://${merchantId.replace('_', '-')}-${number}-${mode}.example/hooks` as WebhookUrl;
    const { writes, secretBox } = this.core();
    const secret = { id: `ws_${id}`, sealed: secretBox.seal('whsec_1', `ws_${id}`) };
    const settings = { url, description: null, enabledEvents: ['*'], apiVersion: NEWEST_API_VERSION, secret };
    await writes.execute(webhookEndpoints, id, { type: 'create', ...settings }, this.context(merchantId, mode));
    return url;
  }

  /** A payment whose creation is told by webhook; answers its id. */
  async payment(merchantId: string, mode: Mode = 'live'): Promise<string> {
    const id = `pi_${String((this.commands += 1)).padStart(26, '0')}`;
    const terms = {
      amount_minor_units: '2500',
      currency: 'EUR',
      currency_decimals: 2,
      metadata: {},
      description: null,
      success_url: null,
    };
    const context = this.context(merchantId, mode);
    await this.core().writes.execute(paymentIntents, id, { type: 'create', terms }, context);
    return id;
  }

  /** Simulated milliseconds from now to the payment's webhook; `limitMs` where it does not come. */
  async timeTo(payment: string, limitMs: number): Promise<number> {
    const sinceMs = this.wall.now();
    const arrived = () => this.sent.find(sent => sent.payment === payment);
    await this.passUntil(() => arrived() !== undefined, limitMs);
    return (arrived()?.atMs ?? sinceMs + limitMs) - sinceMs;
  }

  async send({ url, body, mode }: WebhookRequest): Promise<WebhookOutcome> {
    const { data } = JSON.parse(body) as { data: { id: string } };
    this.sent.push({ url, mode, payment: data.id, atMs: this.wall.now() });
    this.count(url, 1);
    const isHanging = this.hanging.has(url);
    const latencyMs = isHanging ? TIMEOUT_MS : this.answerMs;
    await this.wall.wait(latencyMs);
    if (this.faulty) throw new Error('the sender is broken');
    this.count(url, -1);
    if (isHanging) return { statusCode: null, error: 'timeout', latencyMs, responseExcerpt: '' };
    return { ...this.outcome, latencyMs };
  }

  /** The stores as a process reaches them until it is killed: from then on nothing of it goes on. */
  core(isDead: () => boolean = () => false): Core {
    const mortal = <T extends object>(port: T): T => mortalPort(port, isDead);
    const store = mortal(this.store);
    const documents = mortal(this.documents);
    const log = createLogger({ level: 'error' }, { write: line => void this.errors.push(line) });
    const entropy = seededEntropy();
    return {
      config: CONFIG,
      log,
      clock: new StoredMerchantClocks(this.wall, store),
      entropy: { bytes: count => entropy.bytes(count).map(byte => byte ^ this.processes.length) },
      secretBox: new AesSecretBox(KEY, entropy),
      store,
      documents,
      readModels: new StoredReadModels(documents, store),
      writes: new WritePath(store, this.wall, mirrorWriter(documents, ALL_PROJECTIONS, log)),
      close: () => Promise.resolve(),
    };
  }

  context(merchantId: string, mode: Mode) {
    return simulatedContext(`command-${(this.commands += 1)}`, 'merchant', mode, merchantId, this.wall.now());
  }

  private count(url: string, by: number): void {
    this.underWay.set(url, (this.underWay.get(url) ?? 0) + by);
    const hanging = [...this.underWay]
      .filter(([at]) => this.hanging.has(at))
      .reduce((sum, [, count]) => sum + count, 0);
    this.mostHanging = Math.max(this.mostHanging, hanging);
  }
}

function endpointId(merchantId: string, number: number, mode: Mode): string {
  return `we_${mode}${merchantId.slice(-12)}${String(number).padStart(4, '0')}`;
}

/** What schedules and sends, in one process. */
export class StagedProcess {
  private isDead = false;
  private readonly stopping = new AbortController();
  readonly core: Core;
  readonly webhooks: Webhooks;

  constructor(private readonly stage: DispatchStage) {
    this.core = stage.core(() => this.isDead);
    this.webhooks = composeWebhooks(this.core, { send: request => this.untilDeath(this.stage.send(request)) });
  }

  async start(): Promise<void> {
    const { core, webhooks } = this;
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    await ensureGroups(core.store);
    const { store, documents, log, clock } = core;
    new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS }).start();
    const nothing = () => Promise.resolve();
    const payments = { matching: { group: { handle: nothing }, followers: [] }, coveredUntil: () => null };
    const notifying = { notices: { handle: nothing }, dispatch: null } as unknown as Notifying;
    void runProcesses({ core, payments: payments as unknown as Payments, webhooks, notifying }, signal);
  }

  /** As `kill -9`: what was asked of the stores and of receivers is never answered. */
  kill(): void {
    this.isDead = true;
    this.stopping.abort();
  }

  private async untilDeath<T>(answer: Promise<T>): Promise<T> {
    const given = await answer;
    return this.isDead ? new Promise(() => undefined) : given;
  }
}

function mortalPort<T extends object>(port: T, isDead: () => boolean): T {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...asked: unknown[]) => {
        if (isDead()) return new Promise(() => undefined);
        const answer: unknown = Reflect.apply(member, target, asked);
        if (!(answer instanceof Promise)) return answer;
        return answer.then((value: unknown) => {
          if (isDead()) return new Promise(() => undefined);
          return name === 'open' ? mortalPort(value as object, isDead) : value;
        });
      };
    },
  });
}
