import { walletsProjection } from '../projections/wallets.projection';
import { isoTime } from '../src/kernel/clock';
import { EvmChain } from '../src/platform/chains/evm/evm-chain';
import type { NetworkWatcher } from '../src/watchers/network-watcher';
import { ADDRESS, MERCHANT, NOON, PaymentFixture } from '../test/support/payment-fixture';
import { median } from './measure';
import { SyntheticNode } from './synthetic-node';

/** Blocks a second that BNB Smart Chain makes: one in 450 ms. */
const LIVE_RATE = 2.22;
/** Two and a half hours of BNB. */
const OUTAGE_BLOCKS = 20_000;
const ROUNDS = 5;
const FOLLOWED_BLOCKS = 24;
const BLOCKS_A_TICK = 2;
const FEW_WALLETS = 10;
const MANY_WALLETS = 10_000;

export type CatchUp = {
  /** R11: blocks a second that a watcher reads after an outage, over the blocks a second that the network makes. */
  readonly rateOverLive: number;
  /** R11: calls to the provider by block, with 10,000 wallets over with 10; the worse of catching up and following. */
  readonly callsManyOverFew: number;
};

export async function catchUp(): Promise<CatchUp> {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const { rate } = await watch(FEW_WALLETS);
    // The first round is the compiler's.
    if (round > 0) rates.push(rate);
  }
  const few = await watch(FEW_WALLETS);
  const many = await watch(MANY_WALLETS);
  return {
    rateOverLive: median(rates) / LIVE_RATE,
    callsManyOverFew: Math.max(many.callsBehind / few.callsBehind, many.callsLive / few.callsLive),
  };
}

/** One watcher: started, away for an outage, then following block by block. */
async function watch(wallets: number) {
  const node = await SyntheticNode.start(NOON, ADDRESS);
  node.height = 1_000;
  try {
    const chain = new EvmChain({ network: 'bnb', mode: 'test', urls: [node.url] });
    const fixture = new PaymentFixture({ network: 'bnb', chain });
    await addWallets(fixture, wallets - 1);
    const watcher = await fixture.watcher();
    await watcher.tick();
    const [callsBefore, startedAt] = [node.calls, process.hrtime.bigint()];
    node.height += OUTAGE_BLOCKS;
    await watcher.tick();
    const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
    const callsBehind = node.calls - callsBefore;
    return { rate: OUTAGE_BLOCKS / seconds, callsBehind, callsLive: await follow(watcher, node) };
  } finally {
    await node.close();
  }
}

async function follow(watcher: NetworkWatcher, node: SyntheticNode): Promise<number> {
  const before = node.calls;
  for (let blocks = 0; blocks < FOLLOWED_BLOCKS; blocks += BLOCKS_A_TICK) {
    node.height += BLOCKS_A_TICK;
    await watcher.tick();
  }
  return node.calls - before;
}

async function addWallets(fixture: PaymentFixture, count: number): Promise<void> {
  const collection = await fixture.documents.open(walletsProjection);
  for (let index = 0; index < count; index++) {
    const address = `0x${index.toString(16).padStart(40, '5')}`;
    const body = { merchant_id: MERCHANT, mode: 'test', network_id: 'bnb', status: 'verified', address };
    const id = `wal_${String(index + 1).padStart(26, '0')}`;
    await collection.put({ id, version: 1, body: { ...body, created: isoTime(NOON) } as never });
  }
}
