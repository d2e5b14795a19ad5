import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import { refuse } from '../../../src/vocabulary/errors';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { MATCHING_CATEGORIES } from '../../../src/processes/matching/matching-group';
import { newEvents } from '../../contracts/contract-support';
import { SteppedClock } from '../../projections/runner/stepped-clock';
import { DEPTH, hash, MatchingFixture } from './matching-fixture';

const STEP_MS = 100;
/** The service takes as many messages of the group at once. */
const CONCURRENCY = 8;
/** A silent provider is awaited for so long. */
const PATIENCE_MS = 20 * SECOND_MS;
const OUTAGE_MS = 10 * MINUTE_MS;

type Failing = (time: SteppedClock) => Promise<never>;

const away = () => refuse('provider_unavailable', { message: 'away on purpose' });
const refusing: Failing = () => Promise.reject(away());
const silent: Failing = async time => {
  await time.wait(PATIENCE_MS);
  throw away();
};

let fixture: MatchingFixture;
let time: SteppedClock;
let folder: string;
let file: EmbeddedFile;
let group: EmbeddedEventStore;
const stop = { now: new AbortController() };

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  time = new SteppedClock();
  folder = mkdtempSync(join(tmpdir(), 'quittance-matching-'));
  file = EmbeddedFile.open(folder, { role: 'service' });
  group = new EmbeddedEventStore(file, time);
  stop.now = new AbortController();
  await group.ensureGroup('matching', { categories: MATCHING_CATEGORIES });
});
afterEach(async () => {
  stop.now.abort();
  jest.restoreAllMocks();
  await group.close();
  file.close();
  rmSync(folder, { recursive: true });
});

/** So many unmatched transfers, which a reorganisation took. */
async function reorgedOut(count: number): Promise<void> {
  const { chain } = fixture.payments;
  for (let number = 1; number <= count; number++) await fixture.pay(number, 7n * fixture.cent * 100n);
  chain.reorganise(count);
  for (let round = 0; round < 2; round++) {
    fixture.payments.mineEmpty(600);
    await fixture.watcher?.tick();
    await fixture.follower.follow();
  }
  expect((await fixture.transferEvents(count)).at(-1)).toBe('TransferReorgedOut');
}

function fail(how: Failing): void {
  const { chain } = fixture.payments;
  for (const question of ['receipt', 'agreedBlock', 'lookUp', 'blockAt', 'head'] as const)
    jest.spyOn(chain, question).mockImplementation(() => how(time));
}

function streamOf(network: 'base' | 'bnb', number: number): string {
  return `test.transfer-${transferStreamId({ network, txHash: hash(number), ordinal: 0 })}`;
}

/** Tells the group that the transfer has left its block. */
async function tell(network: 'base' | 'bnb', number: number, revision: number): Promise<void> {
  const [event] = newEvents(1);
  if (!event) throw new Error('no event');
  const left = { ...event, type: 'TransferReorgedOut', data: { block_hash: '0x00' } };
  await group.append(streamOf(network, number), revision < 0 ? 'no_stream' : revision, [left]);
}

/** The longest that a message of the other network waits, while those of the failing one come. */
async function longestWaitMs(failing: { readonly transfers: number; readonly messagesEach: number }): Promise<number> {
  for (let number = 1; number <= failing.transfers; number++)
    for (let message = 0; message < failing.messagesEach; message++) await tell('base', number, message - 1);
  const handledAtMs = new Map<string, number>();
  const handle = async (message: Parameters<Parameters<EmbeddedEventStore['consume']>[1]>[0]): Promise<void> => {
    await fixture.handle(message);
    handledAtMs.set(message.event.stream, time.now());
  };
  void group.consume('matching', handle, { concurrency: CONCURRENCY, signal: stop.now.signal });
  await pass(30 * SECOND_MS);
  const toldAtMs = new Map<string, number>();
  for (let number = 1; number * MINUTE_MS < OUTAGE_MS; number++) {
    toldAtMs.set(streamOf('bnb', number), time.now());
    await tell('bnb', number, -1);
    await pass(MINUTE_MS);
  }
  const waits = [...toldAtMs].map(([stream, atMs]) => (handledAtMs.get(stream) ?? Infinity) - atMs);
  return Math.max(...waits);
}

async function pass(spanMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < spanMs; passedMs += STEP_MS) {
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    time.step(STEP_MS);
  }
}

describe('while the providers of one network fail, messages of another network', () => {
  it('are handled within a second, however many wait for providers that are silent', async () => {
    await reorgedOut(40);
    fail(silent);
    expect(await longestWaitMs({ transfers: 40, messagesEach: 1 })).toBeLessThanOrEqual(SECOND_MS);
  });

  it('are handled within a second, however many wait for providers that refuse', async () => {
    await reorgedOut(2);
    fail(refusing);
    expect(await longestWaitMs({ transfers: 2, messagesEach: 600 })).toBeLessThanOrEqual(SECOND_MS);
  });
});

describe('a transfer that left its block while no provider answered', () => {
  it('is found where it stands once a provider answers', async () => {
    const { chain } = fixture.payments;
    await reorgedOut(1);
    fail(refusing);
    await fixture.handleAll();
    jest.restoreAllMocks();
    // The transfer stands in a block that the watcher does not read.
    chain.mine(fixture.payments.transfer(hash(1), 7n * fixture.cent * 100n));
    fixture.payments.mineEmpty(DEPTH);
    await fixture.returned.round();
    expect((await fixture.transferEvents(1)).slice(-2)).toStrictEqual(['TransferSeen', 'TransferUnmatched']);
  });

  it('is looked for again with growing pauses while the chain does not show it', async () => {
    await reorgedOut(1);
    const receipts = jest.spyOn(fixture.payments.chain, 'receipt');
    for (let minute = 0; minute < 60; minute++) {
      fixture.payments.clock.timeMs += MINUTE_MS;
      await fixture.returned.round();
    }
    expect(receipts.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(receipts.mock.calls.length).toBeLessThanOrEqual(5);
  });

  it('is asked for within the budget of a round, and holds up none where its own look fails', async () => {
    await reorgedOut(30);
    const { chain } = fixture.payments;
    const receipt = chain.receipt.bind(chain);
    const receipts = jest.spyOn(chain, 'receipt').mockImplementation(txHash => {
      return txHash === hash(1) ? Promise.reject(away()) : receipt(txHash);
    });
    await fixture.returned.round();
    expect(receipts.mock.calls.length).toBeLessThanOrEqual(20);
    await fixture.returned.round();
    expect(new Set(receipts.mock.calls.map(([txHash]) => txHash)).size).toBe(30);
  });
});
