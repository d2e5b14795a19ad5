import { TOKENS } from '../src/vocabulary/tokens';
import type { Chain } from '../src/kernel/ports/chain';
import { EvmChain } from '../src/platform/chains/evm/evm-chain';
import { tronTwin } from '../src/platform/chains/tron/tron-address';
import { TronChain } from '../src/platform/chains/tron/tron-chain';
import { BLOCK_HASH, BLOCK_ID, CrowdedNode, WATCHED, type Dialect } from './crowded-node';
import { median } from './measure';

const MANY_LOGS = 50_000;
const FEW_LOGS = 50;
const ZERO_TRANSFERS = 1_000;
/** Small blocks are read so often that their time can be told. */
const FEW_READS = 20;
const ROUNDS = 9;
const DIALECTS: readonly Dialect[] = ['evm', 'evm without logs', 'tron'];

export type CrowdedBlocks = {
  /** Time of a reading over that of a bare client for the same answers, for the slowest way of reading. */
  readonly readOverBare: number;
  /** R15b: time by log of a block of 50,000 foreign logs over one of 50, for the slowest way of reading. */
  readonly manyOverFew: number;
};

/** EVM nodes that cut their logs off, and that give receipts alone; and a TRON node. */
export async function crowdedBlocks(): Promise<CrowdedBlocks> {
  const bare: number[] = [];
  const byLog: number[] = [];
  for (const dialect of DIALECTS) {
    bare.push(await overBare(dialect));
    byLog.push(await manyOverFew(dialect));
  }
  return { readOverBare: Math.max(...bare), manyOverFew: Math.max(...byLog) };
}

async function overBare(dialect: Dialect): Promise<number> {
  const node = await CrowdedNode.start(dialect, MANY_LOGS, ZERO_TRANSFERS);
  try {
    const reader = await readerOf(node, dialect);
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      node.asked.length = 0;
      const took = await timed(reader);
      const questions = node.asked.slice();
      const ratio = took / (await timed(() => askBarely(node.url, questions)));
      // The first round is the compiler's.
      if (round > 0) ratios.push(ratio);
    }
    return median(ratios);
  } finally {
    await node.close();
  }
}

async function manyOverFew(dialect: Dialect): Promise<number> {
  const [many, few] = [await CrowdedNode.start(dialect, MANY_LOGS, 0), await CrowdedNode.start(dialect, FEW_LOGS, 0)];
  try {
    const [readMany, readFew] = [await readerOf(many, dialect), await readerOf(few, dialect)];
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const fewTook = await timed(async () => {
        for (let reads = 0; reads < FEW_READS; reads++) await readFew();
      });
      const ratio = (await timed(readMany)) / MANY_LOGS / (fewTook / FEW_READS / FEW_LOGS);
      if (round > 0) ratios.push(ratio);
    }
    return median(ratios);
  } finally {
    await many.close();
    await few.close();
  }
}

/** Reads the block, and fails where its one payment is not found. */
async function readerOf({ url }: CrowdedNode, dialect: Dialect): Promise<() => Promise<void>> {
  const isTron = dialect === 'tron';
  const options = { mode: 'test', urls: [url] } as const;
  const chain: Chain = isTron ? new TronChain(options) : new EvmChain({ network: 'bnb', ...options });
  const token = TOKENS[isTron ? 'usdt-tron' : 'usdt-bnb'].contract.test;
  const [hash, watched] = isTron ? [BLOCK_ID, tronTwin(WATCHED)] : [BLOCK_HASH, WATCHED];
  await chain.check();
  return async () => {
    const { transfers, unread } = await chain.transfersInBlock(hash, token, [watched]);
    if (transfers.length !== 1 || unread.length > 0) throw new Error('the payment of the crowded block was not found');
  };
}

async function askBarely(url: string, questions: CrowdedNode['asked']): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (const { path, body } of questions) {
    const response = await fetch(url + path, { method: 'POST', headers, body });
    JSON.parse(await response.text());
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = process.hrtime.bigint();
  await act();
  return Number(process.hrtime.bigint() - before);
}
