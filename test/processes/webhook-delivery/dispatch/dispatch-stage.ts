import { setImmediate as nextTurn } from 'node:timers/promises';
import { compose } from '../../../../src/composition/compose';
import { composeCore, type Core } from '../../../../src/composition/core';
import type { Ports } from '../../../../src/composition/ports';
import type { Service } from '../../../../src/composition/service';
import { NEWEST_API_VERSION } from '../../../../src/vocabulary/api-versions';
import { SECOND_MS, type Clock } from '../../../../src/kernel/clock';
import type { Mode } from '../../../../src/vocabulary/modes';
import type { WebhookOutcome, WebhookRequest } from '../../../../src/kernel/ports/webhook-sender';
import { paymentIntents } from '../../../../src/modules/payment-intents/payment-intent.decider';
import { webhookEndpoints } from '../../../../src/modules/webhooks/webhook-endpoint.decider';
import type { WebhookUrl } from '../../../../src/modules/webhooks/webhook-url';
import { loadConfig } from '../../../../src/platform/config/config';
import { createLogger } from '../../../../src/platform/logging/logger';
import type { Webhooks } from '../../../../src/composition/webhooks';
import { SteppedClock } from '../../../projections/runner/stepped-clock';
import { simulatedContext } from '../../../simulation/shops';
import { MemoryDocuments } from '../../../support/memory-documents';
import { MemoryEventStore } from '../../../support/memory-event-store';
import { stagePorts } from '../../../support/stage-ports';
import { seededEntropy } from '../../outage-stage';
import { ok } from '../webhook-fixture';
import { termsOf } from '../../../support/payment-terms';

const CONFIG = loadConfig({
  MODES: 'test,live',
  SANDBOX_CHAINS: 'off',
  LIVE_RATE_SOURCES: 'none',
  ROLES: 'processes,projections',
});
const STEP_MS = 100;
/** Work that needs no time is done in so many turns. */
const TURNS_A_STEP = 40;
const TIMEOUT_MS = 10 * SECOND_MS;

export type Sent = { readonly url: string; readonly payment: string; readonly mode: Mode; readonly atMs: number };

/**
 * The parts that every process of a stage shares: stores in memory, receivers, and time that passes when the test says
 * so.
 */
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
  private readonly cores = new Map<number, Core>();
  private commands = 0;

  async startProcess(): Promise<StagedProcess> {
    const process = await StagedProcess.start(this);
    this.processes.push(process);
    return process;
  }

  /** A process that has had the time to find its index of endpoints complete. */
  async startWarmProcess(): Promise<StagedProcess> {
    const process = await this.startProcess();
    await this.pass(3 * SECOND_MS);
    return process;
  }

  /** Time passes in steps; all work that needs none is done before each. */
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
    const sealed = await secretBox.seal('whsec_1', `ws_${id}`, { universe: mode, merchantId });
    const secret = { id: `ws_${id}`, sealed };
    const settings = { url, description: null, enabledEvents: ['*'], apiVersion: NEWEST_API_VERSION, secret };
    await writes.execute(webhookEndpoints, id, { type: 'create', ...settings }, this.context(merchantId, mode));
    return url;
  }

  /** A payment whose creation is told by webhook; answers its id. */
  async payment(merchantId: string, mode: Mode = 'live'): Promise<string> {
    const id = `pi_${String((this.commands += 1)).padStart(26, '0')}`;
    const context = this.context(merchantId, mode);
    await this.core().writes.execute(paymentIntents, id, { type: 'create', terms: termsOf() }, context);
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

  /** The core by which the merchants' commands are given; another one beside each number of processes. */
  core(): Core {
    const known = this.cores.get(this.processes.length) ?? composeCore(CONFIG, this.ports());
    this.cores.set(this.processes.length, known);
    return known;
  }

  /** The stores and the time of a process until it is killed: from then on nothing of it goes on. */
  ports(isDead: () => boolean = () => false): Ports {
    const entropy = seededEntropy();
    const number = this.processes.length;
    return stagePorts({
      clock: mortalClock(this.wall, isDead),
      entropy: { bytes: count => entropy.bytes(count).map(byte => byte ^ number) },
      log: createLogger({ level: 'error' }, { write: line => void this.errors.push(line) }),
      store: mortalPort(this.store, isDead),
      documents: mortalPort(this.documents, isDead),
    });
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

/** The parts that schedule and send, in one process. */
export class StagedProcess {
  private isDead = false;
  private service!: Service;

  static async start(stage: DispatchStage): Promise<StagedProcess> {
    const process = new StagedProcess();
    const webhooks = { send: (request: WebhookRequest) => process.untilDeath(stage.send(request)) };
    process.service = await compose(CONFIG, { ...stage.ports(() => process.isDead), webhooks });
    await process.service.start();
    return process;
  }

  get core(): Core {
    return this.service.parts.core;
  }

  get webhooks(): Webhooks {
    return this.service.parts.webhooks;
  }

  /** As `kill -9`: calls to the stores, to time and to receivers are never answered. */
  kill(): void {
    this.isDead = true;
    // The stores take back the messages in its hands, as from a connection that broke; the stop does nothing else.
    void this.service.stop();
  }

  private async untilDeath<T>(answer: Promise<T>): Promise<T> {
    const given = await answer;
    return this.isDead ? new Promise(() => undefined) : given;
  }
}

function mortalClock(clock: Clock, isDead: () => boolean): Clock {
  return {
    now: () => clock.now(),
    wait: async (delayMs, signal) => {
      await clock.wait(delayMs, signal);
      if (isDead()) await new Promise(() => undefined);
    },
  };
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
