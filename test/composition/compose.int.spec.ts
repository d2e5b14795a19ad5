import { setImmediate as nextTurn } from 'node:timers/promises';
import { compose } from '../../src/composition/compose';
import type { Ports } from '../../src/composition/ports';
import type { Service } from '../../src/composition/service';
import type { Mail } from '../../src/kernel/ports/mail';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { loadConfig, type Role } from '../../src/platform/config/config';
import { GROUP_NAMES } from '../../src/modules/system/group-names';
import { COVERAGE_COLLECTION, coverageId } from '../../src/watchers/coverage-record';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { ScriptedChain } from '../support/scripted-chain';
import { stagePorts } from '../support/stage-ports';

const STEP_MS = 100;
const STEPS = 20;
const TURNS_A_STEP = 20;

/** The service's calls of its ports, in their order. */
class Watched {
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly clock = new SteppedClock();
  readonly chain = new ScriptedChain(this.clock.now());
  readonly calls = {
    append: jest.spyOn(this.store, 'append'),
    readStream: jest.spyOn(this.store, 'readStream'),
    subscribe: jest.spyOn(this.store, 'subscribe'),
    consume: jest.spyOn(this.store, 'consume'),
    head: jest.spyOn(this.chain, 'head'),
  };
  readonly closed: string[] = [];

  ports(): Ports {
    const { clock, store, documents, chain } = this;
    const base = {
      mode: 'test',
      network: 'base',
      chain,
      instance: 'scripted',
      policy: watchPolicy('test', true),
    } as const;
    const close = () => Promise.resolve(void this.closed.push('engines'));
    const ports = stagePorts({ clock, entropy: new SystemEntropy(), store, documents, close, watched: [base] });
    const closeNetworks = () => Promise.resolve(void this.closed.push('networks'));
    return { ...ports, networks: { ...ports.networks, close: closeNetworks } };
  }
}

let watched: Watched;
let service: Service | null;

beforeEach(() => {
  watched = new Watched();
  service = null;
});
afterEach(() => service?.stop());

async function composed(roles: readonly Role[], more: Partial<Ports> = {}): Promise<Service> {
  const config = loadConfig({ MODES: 'test', SANDBOX_CHAINS: 'off', ROLES: roles.join() });
  service = await compose(config, { ...watched.ports(), ...more });
  return service;
}

async function stop(): Promise<void> {
  const stopped = service;
  service = null;
  await stopped?.stop();
}

/** Two seconds, in which every loop has its turn. */
async function pass(): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    for (let turn = 0; turn < TURNS_A_STEP; turn++) await nextTurn();
    watched.clock.step(STEP_MS);
  }
}

/** The spied methods that were called. */
function called(): readonly string[] {
  return Object.entries(watched.calls).flatMap(([name, spy]) => (spy.mock.calls.length > 0 ? [name] : []));
}

/** The calls that a role makes by itself: following the log, taking its messages, covering the chain. */
async function played(): Promise<readonly string[]> {
  const coverage = await watched.documents.open(COVERAGE_COLLECTION);
  const covered = await coverage.get(coverageId('test', 'base'));
  return [...called().filter(name => name === 'subscribe' || name === 'consume'), ...(covered ? ['cover'] : [])];
}

it('makes all parts and runs none', async () => {
  await composed(['api', 'watchers', 'processes', 'projections']);
  await pass();
  expect(called()).toEqual([]);
});

const PLAYED: readonly [Role, readonly string[]][] = [
  ['projections', ['subscribe']],
  ['processes', ['consume']],
  ['watchers', ['cover']],
  ['api', []],
];
it.each(PLAYED)('plays the role of %s alone where nothing else is asked for', async (role, expected) => {
  const { jobs } = await composed([role]);
  await (service as Service).start();
  await pass();
  expect(await played()).toEqual(expected);
  expect(jobs.running.length).toBeGreaterThan(0);
});

it.each<[string, Role, number]>([
  ['live', 'api', 1],
  ['live,test', 'api', 1],
  ['live', 'processes', 0],
  ['test', 'api', 0],
])(
  'in the modes %s and the role %s tells %d times of an empty list of exchange wallets',
  async (modes, role, times) => {
    const ports = { ...watched.ports(), networks: { watched: [], close: () => Promise.resolve() } };
    const warn = jest.spyOn(ports.log, 'warn');
    service = await compose(loadConfig({ MODES: modes, SANDBOX_CHAINS: 'off', ROLES: role }), ports);
    await service.start();
    await pass();
    const told = warn.mock.calls.filter(([, message]) => String(message).includes('exchange wallets is empty'));
    expect(told).toHaveLength(times);
  },
);

it('consumes each group of the processes once', async () => {
  await (await composed(['processes'])).start();
  expect(watched.calls.consume.mock.calls.map(([name]) => name)).toEqual(GROUP_NAMES);
});

it('ends its loops and closes its ports when it stops', async () => {
  const { jobs } = await composed(['api', 'watchers', 'processes', 'projections']);
  await (service as Service).start();
  await stop();
  await expect(Promise.all(jobs.running)).resolves.toBeDefined();
  expect(watched.closed).toEqual(['networks', 'engines']);
});

it('leaves its ports open where it cannot be made', async () => {
  const away = { open: () => Promise.reject(new Error('away')) } as unknown as Ports['engines']['documents'];
  const engines = { ...watched.ports().engines, documents: away };
  await expect(composed(['api'], { engines })).rejects.toThrow('away');
  expect(watched.closed).toEqual([]);
});

it('answers by its API over the same parts, before it listens anywhere', async () => {
  const { app } = await (await composed(['api', 'projections'])).composeHttpApi();
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  const reply = await app.inject({ method: 'GET', url: '/readyz' });
  const { checks } = reply.json<{ checks: Readonly<Record<string, string>> }>();
  expect(Object.keys(checks)).toEqual(['event_store', 'document_store', 'projections', 'coverage']);
  expect(checks).toMatchObject({ event_store: 'ok', document_store: 'ok', projections: 'ok' });
});

it('sends mail only where there is a sender', async () => {
  expect((await composed(['processes'])).parts.notifying.dispatches).toHaveLength(0);
  const sent: Mail[] = [];
  const mail = {
    send: (message: Mail) => Promise.resolve({ status: 'sent', detail: String(sent.push(message)) } as const),
  };
  expect((await composed(['processes'], { mail })).parts.notifying.dispatches).toHaveLength(2);
});
