import { coverageHolesReadModel } from '../../src/modules/coverage/coverage-holes.read-model';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { walletsProjection } from '../../projections/wallets.projection';
import { compose } from '../../src/composition/compose';
import { coverageReadiness } from '../../src/watchers/coverage-readiness';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import type { Payments } from '../../src/composition/payments';
import { loadConfig } from '../../src/platform/config/config';
import { createLogger } from '../../src/platform/logging/logger';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { HOLES_LIMIT } from '../../src/watchers/set-aside-lists';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { ADDRESS } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';
import { stagePorts } from '../support/stage-ports';
import { unreadBlocks } from './set-aside-stage';

const CONFIG = loadConfig({
  MODES: 'test',
  SANDBOX_CHAINS: 'off',
  OPERATOR_EMAIL: 'operator@pay.example',
});
const BLOCK_MS = 2 * SECOND_MS;
/** The holder's lease, and one look after it. */
const TAKEN_OVER_WITHIN_MS = 12 * SECOND_MS;

/** One process's watchers over stores that all of them share. */
class Instance {
  readonly lines: string[] = [];
  /** The instance's calls of the documents never end: as a process that was killed, or is cut off. */
  isDead = false;
  isCutOff = false;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private payments!: Payments;

  static async start(stage: Stage, { watches = true } = {}): Promise<Instance> {
    const instance = new Instance();
    const { store, clock, chain } = stage;
    const policy = watchPolicy('test', false);
    const network = { mode: 'test', network: 'base', chain, instance: 'scripted base', policy } as const;
    const ports = stagePorts({
      clock,
      entropy: new SystemEntropy(),
      log: createLogger({ level: 'info' }, { write: line => void instance.lines.push(line) }),
      store,
      documents: instance.mortal(stage.documents),
      watched: [network],
    });
    const service = await compose(CONFIG, ports);
    instance.payments = service.parts.payments;
    if (!watches) return instance;
    instance.running = Promise.all(instance.payments.watchers.map(watcher => watcher.run(instance.stopping.signal)));
    return instance;
  }

  get alarms() {
    return this.payments.watchers.map(({ alarm }) => alarm);
  }

  readiness(): Promise<void> {
    return coverageReadiness(this.payments.watchers).check();
  }

  /** Log lines for the operator. */
  get complaints(): readonly string[] {
    return this.lines.filter(line => (JSON.parse(line) as { level: number }).level > 30);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private mortal(documents: MemoryDocuments): MemoryDocuments {
    return new Proxy(documents, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== 'open') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return async (spec: Parameters<MemoryDocuments['open']>[0]) =>
          new Proxy(await target.open(spec), {
            get: (collection, method) => {
              const call: unknown = Reflect.get(collection, method, collection);
              if (typeof call !== 'function') return call;
              return (...values: unknown[]): unknown => {
                if (this.isDead) return new Promise(() => undefined);
                if (this.isCutOff) return Promise.reject(new StoreUnavailable('cut off'));
                return Reflect.apply(call, collection, values) as unknown;
              };
            },
          });
      },
    });
  }
}

class Stage {
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly clock = new SteppedClock();
  readonly chain = new ScriptedChain(this.clock.now(), BLOCK_MS);
  /** Fills the read models from the log, as a process without watchers does. */
  private readonly runner = new ProjectionRunner({
    store: this.store,
    documents: this.documents,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock: this.clock,
    projections: [walletsProjection],
  });

  constructor() {
    this.runner.start();
  }

  async stop(): Promise<void> {
    let isStopped = false;
    void this.runner.stop().then(() => (isStopped = true));
    await this.clock.passUntil('a stop of the projections', () => isStopped);
  }

  /** The chain goes on with the time, unless it `stands`. */
  async pass(durationMs: number, stands = false): Promise<void> {
    const endMs = this.clock.now() + durationMs;
    while (this.clock.now() < endMs) {
      if (!stands) this.chain.mine();
      const nextMs = this.clock.now() + BLOCK_MS;
      await this.clock.passUntil('the next block', () => this.clock.now() >= nextMs);
    }
  }

  /** Subjects of the operator's queued mails, the oldest first. */
  async mails(): Promise<readonly string[]> {
    const outbox = await this.documents.open<OutboxDocument>(OUTBOX_COLLECTION);
    const queued = await outbox.list({ index: 'by_due', equals: { status: 'queued' }, limit: 100 });
    return queued.map(({ body }) => body.subject);
  }

  async isWaiting(): Promise<boolean | undefined> {
    const coverage = await this.documents.open<{ is_waiting: boolean }>({ name: 'coverage', indexes: {} });
    return (await coverage.get('test:base'))?.body.is_waiting;
  }

  async coveredTo(): Promise<number | null> {
    const coverage = await this.documents.open<{ head_number: number }>({ name: 'coverage', indexes: {} });
    return (await coverage.get('test:base'))?.body.head_number ?? null;
  }
}

let stage: Stage;
let instances: Instance[];

beforeEach(() => {
  stage = new Stage();
  instances = [];
});

afterEach(async () => {
  for (const instance of instances.filter(({ isDead }) => !isDead)) {
    instance.isCutOff = false;
    let isStopped = false;
    void instance.stop().then(() => (isStopped = true));
    await stage.clock.passUntil('a stop', () => isStopped);
  }
  await stage.stop();
});

async function start(): Promise<Instance> {
  const instance = await Instance.start(stage);
  instances.push(instance);
  return instance;
}

it('lets one of two processes watch a network, and the other wait without a word', async () => {
  const [one, other] = [await start(), await start()];
  await stage.pass(10 * MINUTE_MS);
  const { number } = await stage.chain.head();
  expect(await stage.coveredTo()).toBeGreaterThan(number - 5);
  expect([...one.complaints, ...other.complaints]).toEqual([]);
  expect([...one.alarms, ...other.alarms]).toEqual([null, null]);
});

it('takes over in time once the watching process has died', async () => {
  const [one, other] = [await start(), await start()];
  await stage.pass(MINUTE_MS);
  one.isDead = true;
  const { number } = await stage.chain.head();
  await stage.pass(TAKEN_OVER_WITHIN_MS);
  await stage.pass(2 * BLOCK_MS);
  expect(await stage.coveredTo()).toBeGreaterThan(number);
  expect(other.complaints).toEqual([]);
});

it('takes over at once from a process that stops', async () => {
  const [one] = [await start(), await start()];
  await stage.pass(MINUTE_MS);
  let isStopped = false;
  void one.stop().then(() => (isStopped = true));
  await stage.clock.passUntil('a stop', () => isStopped);
  const { number } = await stage.chain.head();
  await stage.pass(3 * BLOCK_MS);
  expect(await stage.coveredTo()).toBeGreaterThan(number);
});

it('watches on in an outage of the documents, and gives way once another process has taken over', async () => {
  const [one, other] = [await start(), await start()];
  await stage.pass(MINUTE_MS);
  one.isCutOff = true;
  await stage.pass(MINUTE_MS);
  one.isCutOff = false;
  one.lines.length = 0;
  await stage.pass(2 * MINUTE_MS);
  const said = one.complaints.length;
  await stage.pass(8 * MINUTE_MS);
  // The watcher's pauses have grown meanwhile. A watcher raises this alarm before it has looked at its lease.
  expect(one.complaints.length).toBe(said);
  expect([...other.complaints, ...one.alarms, ...other.alarms]).toEqual([null, null]);
});

it('tells of a network that is behind, in the process that waits too, and of none merely for waiting', async () => {
  const [one, other] = [await start(), await start()];
  await stage.pass(MINUTE_MS);
  await stage.pass(7 * MINUTE_MS, true);
  expect([one.alarms, other.alarms]).toEqual([['behind'], ['behind']]);
  for (let block = 0; block < 220; block++) stage.chain.mine();
  await stage.pass(10 * SECOND_MS);
  expect([one.alarms, other.alarms]).toEqual([[null], [null]]);
});

it('is told at readiness in a process that watches nothing too, by network and alarm', async () => {
  const other = await Instance.start(stage, { watches: false });
  await start();
  await stage.pass(MINUTE_MS);
  await expect(other.readiness()).resolves.toBeUndefined();
  await stage.pass(7 * MINUTE_MS, true);
  const alarms = [{ mode: 'test', network: 'base', alarm: 'behind' }];
  await expect(other.readiness()).rejects.toMatchObject({ message: 'test base: behind', alarms });
});

it('says no longer that scanning waits once another process has taken over and there is room', async () => {
  const wallets = await stage.documents.open(walletsProjection);
  const wallet = { mode: 'test', network_id: 'base', status: 'verified', address: ADDRESS };
  await wallets.put({ id: 'wal_1', version: 1, body: { ...wallet, merchant_id: 'mch_1', created: '2026-11-01' } });
  const unread = unreadBlocks(stage.chain);
  const [one, other] = [await start(), await start()];
  await stage.pass(MINUTE_MS);
  const holes = await stage.documents.open(collectionSpec(coverageHolesReadModel));
  const ids = Array.from({ length: HOLES_LIMIT }, (_, index) => `filling ${index}`);
  const body = { mode: 'test', network_id: 'base', status: 'open', instance: 'another', block_number: 1 };
  const times = { opened_at: '2026-11-01', seen_at: '2026-11-01', block_time: '2026-11-01' };
  for (const id of ids) await holes.put({ id, version: 0, body: { ...body, ...times } });
  unread.add(stage.chain.mine().hash);
  await stage.pass(MINUTE_MS);
  expect(await stage.isWaiting()).toBe(true);
  one.isDead = true;
  // The process that takes over finds room, and never knew that there was none.
  for (const id of ids) await holes.deleteUpTo(id, Infinity);
  await stage.pass(MINUTE_MS);
  expect([await stage.isWaiting(), other.alarms]).toEqual([false, ['set_aside']]);
});

describe('mail to the operator', () => {
  const BEHIND = 'Base (test mode) is read too far behind its head';
  const CAUGHT_UP = 'Base (test mode) is read in time again';

  it('is one when a network falls behind and one when it has caught up, of two processes', async () => {
    await start();
    await start();
    await stage.pass(MINUTE_MS);
    expect(await stage.mails()).toEqual([]);
    await stage.pass(6 * MINUTE_MS, true);
    expect(await stage.mails()).toEqual([BEHIND]);
    await stage.pass(20 * MINUTE_MS, true);
    expect(await stage.mails()).toEqual([BEHIND]);
    for (let block = 0; block < 820; block++) stage.chain.mine();
    await stage.pass(4 * MINUTE_MS);
    expect(await stage.mails()).toEqual([BEHIND]);
    await stage.pass(2 * MINUTE_MS);
    expect(await stage.mails()).toEqual([BEHIND, CAUGHT_UP]);
  });

  it('is the same one after a restart in the middle', async () => {
    const one = await start();
    await stage.pass(MINUTE_MS);
    await stage.pass(6 * MINUTE_MS, true);
    let isStopped = false;
    void one.stop().then(() => (isStopped = true));
    await stage.clock.passUntil('a stop', () => isStopped);
    await start();
    await stage.pass(6 * MINUTE_MS, true);
    expect(await stage.mails()).toEqual([BEHIND]);
  });
});
