import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { searchSize } from '../levels/search-size';
import { shortestHold } from '../support/longest-hold';
import { pi } from '../processes/matching/matching-fixture';
import { BLOCK_MS, POLL_MS, JunkStage } from './junk-stage';

const STORM = {
  blocks: searchSize('JUNK_STORM_BLOCKS', { small: 6, full: 60 }),
  transfers: searchSize('JUNK_IN_BLOCK', { small: 150, full: 1_000 }),
} as const;
/** Milliseconds of one append, in which the storm brings more than two transfers. */
const APPEND_MS = 1_000 / STORM.transfers;
/** So many transfers fit into memory. */
const FIT = 20_000;
/** One tick gives a place to a few thousand at most. A small search makes no more transfers than fit. */
const SENT = searchSize('JUNK_TRANSFERS', { small: FIT, full: 36_000 });
const MOST_TICKS = 200;
const LONGEST_TURN_MS = 200;
/** Starts of which one has to hold up nobody: the garbage of a whole storm is cleaned up in some of them. */
const STARTS = 5;

let stage: JunkStage;
let watcher: NetworkWatcher;

beforeEach(() => {
  stage = new JunkStage();
});

/** The watcher's loop: the next poll comes so long after the one before, or at once where the tick took longer. */
async function tick(): Promise<void> {
  const dueMs = stage.clock.timeMs + POLL_MS;
  stage.mineDue();
  await watcher.tick();
  stage.clock.timeMs = Math.max(stage.clock.timeMs, dueMs);
}

/** Pays in every tenth block; the longest delays of detection and of confirmation in milliseconds. */
async function delaysOver(blocks: number, junkInBlock: number, firstPayment: number) {
  const paid: { readonly id: string; readonly transfer: number }[] = [];
  const end = stage.chain.height + blocks;
  stage.junkInBlock = junkInBlock;
  let paidAt = stage.chain.height;
  stage.onMine = () => {
    if (stage.chain.height >= end) stage.junkInBlock = 0;
  };
  while (stage.chain.height < end) {
    if (stage.chain.height >= paidAt) {
      const id = pi(firstPayment + paid.length);
      paid.push({ id, transfer: stage.pay(await stage.fixture.quoted(id)) });
      paidAt += 10;
    }
    await tick();
  }
  for (let ticks = 0; ticks < 10; ticks++) await tick();
  const [detected, confirmed] = [[0], [0]];
  for (const { id, transfer } of paid) {
    detected.push(await stage.delayMs(id, 'TransferDetected', transfer));
    confirmed.push(await stage.delayMs(id, 'PaymentConfirmed', transfer));
  }
  return { detectedMs: Math.max(...detected), confirmedMs: Math.max(...confirmed) };
}

async function tickUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let ticks = 0; ticks < MOST_TICKS && !(await isDone()); ticks++) await tick();
}

const covered = async () => (await stage.fixture.coverage())?.number ?? -1;

describe('in a storm of worthless transfers', () => {
  it('payments are detected and confirmed within two blocks of what they take without, and it is covered after', async () => {
    watcher = await stage.start(APPEND_MS);
    const quiet = await delaysOver(STORM.blocks, 0, 1);
    const storm = await delaysOver(STORM.blocks, STORM.transfers, 101);
    expect(storm.detectedMs).toBeLessThanOrEqual(quiet.detectedMs + 2 * BLOCK_MS);
    expect(storm.confirmedMs).toBeLessThanOrEqual(quiet.confirmedMs + 2 * BLOCK_MS);
    const stormEnd = Math.max(...[...stage.sent.values()].map(({ block }) => block));
    await tickUntil(async () => (await covered()) >= stormEnd);
    expect(await covered()).toBeGreaterThanOrEqual(stormEnd);
    expect(stage.isAllRecorded).toBe(true);
  }, 300_000);

  it('coverage passes no transfer without a place, and one that starts anew records what was left', async () => {
    watcher = await stage.start(APPEND_MS);
    stage.junkInBlock = STORM.transfers;
    for (let ticks = 0; ticks < 4; ticks++) {
      await tick();
      expect(await covered()).toBeLessThan(stage.lowestUnrecorded);
    }
    expect(stage.isAllRecorded).toBe(false);
    stage.junkInBlock = 0;
    watcher = await stage.fixture.watcher();
    await tickUntil(() => Promise.resolve(stage.isAllRecorded));
    expect(stage.isAllRecorded).toBe(true);
  }, 120_000);

  if (SENT > FIT) {
    it('more than fit into memory are read again, and none is lost', async () => {
      watcher = await stage.start(APPEND_MS);
      stage.junkInBlock = 4_000;
      await tickUntil(() => Promise.resolve(stage.sent.size >= SENT));
      stage.junkInBlock = 0;
      stage.store.appendMs = 0;
      await tickUntil(async () => stage.isAllRecorded && (await covered()) > stage.chain.height - 40);
      expect(stage.isAllRecorded).toBe(true);
    }, 300_000);
  }

  it('one that starts anew holds up nobody while it reads what is recorded', async () => {
    watcher = await stage.start(0);
    stage.junkInBlock = 2 * STORM.transfers;
    for (let ticks = 0; ticks < 2; ticks++) await tick();
    stage.junkInBlock = 0;
    const startAnew = async (): Promise<void> => (await stage.fixture.watcher()).tick();
    expect(await shortestHold(LONGEST_TURN_MS, STARTS, startAnew)).toBeLessThan(LONGEST_TURN_MS);
  }, 120_000);
});
