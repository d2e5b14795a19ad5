import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProjectionRunner } from '../../projections/runner/projection-runner';
import { compose } from '../../src/composition/compose';
import type { Core } from '../../src/composition/core';
import type { Payments } from '../../src/composition/payments';
import type { Ports } from '../../src/composition/ports';
import type { Service } from '../../src/composition/service';
import type { Entropy } from '../../src/kernel/entropy';
import { forwardingStore } from '../../src/kernel/forwarding-store';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import { StoreUnavailable, type EventStore } from '../../src/kernel/ports/event-store';
import type { Mail, MailOutcome } from '../../src/kernel/ports/mail';
import type { WebhookOutcome, WebhookRequest } from '../../src/kernel/ports/webhook-sender';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import type { RateBook } from '../../src/modules/quotes/rate-book';
import { GROUP_NAMES } from '../../src/modules/system/group-names';
import { loadConfig } from '../../src/platform/config/config';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store';
import { createLogger } from '../../src/platform/logging/logger';
import { FixedSource } from '../../src/platform/rates/fixed-source';
import type { SteppedClock } from '../projections/runner/stepped-clock';
import { Prng } from '../simulation/prng';
import { openShop, type Shop } from '../simulation/shops';
import type { Setting } from '../simulation/setting';
import { MemoryDocuments } from '../support/memory-documents';
import { ScriptedChain } from '../support/scripted-chain';
import { stagePorts } from '../support/stage-ports';

const CONFIG = loadConfig({
  MODES: 'test',
  SANDBOX_CHAINS: 'off',
  DASHBOARD_URL: 'https://dashboard.example',
});
export const SETTING: Setting = { mode: 'test', networks: ['base', 'bnb'], nodes: 0 };
const BLOCK_MS = 10_000;

/** The same in each run. */
export function seededEntropy(): Entropy {
  const prng = new Prng(7);
  return { bytes: count => Uint8Array.from({ length: count }, () => prng.below(256)) };
}

/** A log for a stage, and how it is left for good. */
export type StageEngine = { readonly store: EventStore; readonly leave: () => void };

/** The embedded log in a folder of its own. */
export function embeddedEngine(clock: SteppedClock): StageEngine {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-outage-'));
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const leave = (): void => {
    file.close();
    rmSync(folder, { recursive: true });
  };
  return { store: new EmbeddedEventStore(file, clock, undefined, seededEntropy()), leave };
}

/** The dependencies of a service; while one of them is away, each call to it fails as a real adapter's does. */
export type Dependency = 'documents' | 'appends' | 'log' | 'mail';

/**
 * The whole service behind HTTP, over stores that can be away, a chain and receivers that a test decides, and time that
 * it lets pass.
 */
export class OutageStage {
  readonly chain: ScriptedChain;
  readonly sent: WebhookRequest[] = [];
  readonly mails: Mail[] = [];
  readonly lines: string[] = [];
  /** The receivers' answers. */
  statusCode = 200;
  shop!: Shop;
  private readonly away = new Set<Dependency>();
  private readonly failures = new Map<Dependency, StoreUnavailable>();
  private service!: Service;

  constructor(
    readonly wall: SteppedClock,
    private readonly engine: EventStore,
  ) {
    this.chain = new ScriptedChain(wall.now(), BLOCK_MS);
  }

  get core(): Core {
    return this.service.parts.core;
  }

  get rates(): RateBook {
    return this.service.parts.rates;
  }

  get payments(): Payments {
    return this.service.parts.payments;
  }

  get runner(): ProjectionRunner {
    return this.service.parts.runner;
  }

  async start(): Promise<void> {
    this.service = await this.passing(compose(CONFIG, this.ports()));
    await this.passing(this.service.start());
    this.shop = await this.passing(openShop(SETTING, this.core, 1, this.wall.now()));
  }

  private ports(): Ports {
    const { wall: clock, chain, engine } = this;
    const policy = watchPolicy('test', false);
    const network = { mode: 'test', network: 'base', chain, instance: 'scripted base', policy } as const;
    const sources = [new FixedSource('sandbox-a', clock), new FixedSource('sandbox-b', clock)];
    return stagePorts({
      clock,
      entropy: seededEntropy(),
      log: createLogger({ level: 'info' }, { write: line => void this.lines.push(line) }),
      store: this.troubled(engine),
      documents: this.troubledDocuments(new MemoryDocuments()),
      isAlone: true,
      close: () => engine.close(),
      watched: [network],
      rates: { test: sources, live: sources },
      mail: { send: mail => Promise.resolve(this.send(mail)) },
      webhooks: { send: request => Promise.resolve(this.receive(request)) },
    });
  }

  private receive(request: WebhookRequest): WebhookOutcome {
    this.sent.push(request);
    return { statusCode: this.statusCode, error: null, latencyMs: 5, responseExcerpt: '' };
  }

  private send(mail: Mail): MailOutcome {
    if (this.away.has('mail')) return { status: 'deferred', detail: 'connect ECONNREFUSED' };
    this.mails.push(mail);
    return { status: 'sent', detail: '250 OK' };
  }

  /** The answer to a request that may wait for time to pass. */
  async passing<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const mark = (): void => void (isDone = true);
    work.then(mark, mark);
    await this.wall.passUntil('an answer', () => isDone);
    return work;
  }

  /** The chain's time passes with the service's. */
  async pass(durationMs: number): Promise<void> {
    const endMs = this.wall.now() + durationMs;
    while (this.wall.now() < endMs) {
      this.chain.mine();
      const nextMs = Math.min(this.wall.now() + BLOCK_MS, endMs);
      await this.wall.passUntil('the next block', () => this.wall.now() >= nextMs);
    }
  }

  begin(...dependencies: readonly Dependency[]): void {
    for (const dependency of dependencies) this.away.add(dependency);
  }

  end(): void {
    this.away.clear();
  }

  stop(): Promise<void> {
    return this.passing(this.service.stop());
  }

  /** The webhooks of the shop's first endpoint, in order: it hears of everything. */
  get received(): readonly { readonly id: string; readonly type: string; readonly payment: string }[] {
    const url = this.shop.endpoints[0]?.url;
    return this.sent
      .filter(each => each.url === url)
      .map(({ body }) => {
        const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { id: string } };
        return { id, type, payment: data.id };
      });
  }

  async parked(): Promise<number> {
    let count = 0;
    for (const group of GROUP_NAMES) count += (await this.passing(this.engine.groupStatus(group))).parked;
    return count;
  }

  /** The error is one for each dependency: its stack is found and written once, not at each of thousands of calls. */
  private assertThere(dependency: Dependency): void {
    if (!this.away.has(dependency)) return;
    const failure = this.failures.get(dependency) ?? new StoreUnavailable(`${dependency}: away on purpose`);
    this.failures.set(dependency, failure);
    throw failure;
  }

  /** The groups' own reading goes by the engine, as the messages that a consumer holds are with it already. */
  private troubled(engine: EventStore): EventStore {
    const reached = async <T>(work: () => Promise<T>, ...dependencies: readonly Dependency[]): Promise<T> => {
      for (const dependency of dependencies) this.assertThere(dependency);
      return work();
    };
    return {
      ...forwardingStore(engine),
      append: (...asked) => reached(() => engine.append(...asked), 'appends', 'log'),
      readStream: (...asked) => reached(() => engine.readStream(...asked), 'log'),
      lastPosition: () => reached(() => engine.lastPosition(), 'log'),
      lastEventUpTo: position => reached(() => engine.lastEventUpTo(position), 'log'),
      firstEventId: () => reached(() => engine.firstEventId(), 'log'),
    };
  }

  private troubledDocuments(documents: Documents): Documents {
    const assertThere = (): void => this.assertThere('documents');
    return {
      open: async <Body extends JsonObject>(spec: CollectionSpec) => {
        assertThere();
        return new TroubledCollection(await documents.open<Body>(spec), assertThere);
      },
      switch: (...asked) => documents.switch(...asked),
      drop: name => documents.drop(name),
      close: () => documents.close(),
    };
  }
}

class TroubledCollection<Body extends JsonObject> implements Collection<Body> {
  constructor(
    private readonly collection: Collection<Body>,
    private readonly assertThere: () => void,
  ) {}

  get = this.reached('get');
  getAll = this.reached('getAll');
  put = this.reached('put');
  putNewer = this.reached('putNewer');
  putAllNewer = this.reached('putAllNewer');
  insert = this.reached('insert');
  insertAll = this.reached('insertAll');
  replace = this.reached('replace');
  deleteUpTo = this.reached('deleteUpTo');
  deleteAt = this.reached('deleteAt');
  list = this.reached('list');
  count = this.reached('count');

  private reached<Call extends keyof Collection<Body>>(call: Call): Collection<Body>[Call] {
    const reach = async (...asked: readonly unknown[]): Promise<unknown> => {
      this.assertThere();
      return (this.collection[call] as (...asked: readonly unknown[]) => Promise<unknown>)(...asked);
    };
    return reach as Collection<Body>[Call];
  }
}
