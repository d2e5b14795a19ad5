import { TOKENS } from '../../src/vocabulary/tokens';
import type { Mode } from '../../src/vocabulary/modes';
import { searchSize } from '../levels/search-size';
import { AMPLE_MS, EvmStage, status } from '../platform/chains/evm-stage';
import { CrowdedNode, crowdedTx } from '../platform/chains/crowded-block';
import { rpcBlock, type Behaviour } from '../platform/chains/scripted-provider';
import { ADDRESS, PaymentFixture } from '../support/payment-fixture';

const AT = 110;
const START = 100;
const STEP = 10;
const STEP_MS = 5_000;
const TICKS = 28;
const LIMIT_MS = 60_000;
const PAID = crowdedTx(0);

/** A provider's answer in place of an honest one; undefined where it is honest. */
type Fault = (...asked: Parameters<Behaviour>) => ReturnType<Behaviour> | undefined;

const honest: Fault = () => undefined;
const timeOf = (height: number): number => 1_790_000_000 + height;
const isHeader = (method: string, [block]: readonly unknown[]): boolean =>
  method.startsWith('eth_getBlockBy') && Number(block) === AT;
const isReceipt = (method: string, [txHash]: readonly unknown[]): boolean =>
  method === 'eth_getTransactionReceipt' && txHash === PAID;
const isSearch = (method: string, [query]: readonly unknown[]): boolean => {
  if (method !== 'eth_getLogs') return false;
  const { blockHash, fromBlock, toBlock } = query as { blockHash?: string; fromBlock: string; toBlock: string };
  return blockHash === undefined ? Number(fromBlock) <= AT && Number(toBlock) >= AT : Number(blockHash) === AT;
};

const gap = { error: { code: -32_000, message: 'missing trie node' } };
const withoutBlock: Fault = (method, params) => {
  if (isHeader(method, params) || isReceipt(method, params)) return { result: null };
  if (method === 'eth_getBlockReceipts' && Number(params[0]) === AT) return { result: null };
  return isSearch(method, params) ? { result: [] } : undefined;
};
const withoutLog: Fault = (method, params) => {
  if (isReceipt(method, params)) return { result: null };
  return isSearch(method, params) ? { result: [] } : undefined;
};
const otherTime: Fault = (method, params) =>
  isHeader(method, params) ? { result: { ...rpcBlock(AT, timeOf(AT) + 7), transactions: [PAID] } } : undefined;
const withoutHeader: Fault = (method, params) => (isHeader(method, params) ? gap : undefined);
const withoutReceipt: Fault = (method, params) => (isReceipt(method, params) ? gap : undefined);
const withoutLogs: Fault = (...asked) => (asked[0] === 'eth_getLogs' ? status(503)(...asked) : undefined);
const withoutReadings: Fault = (...asked) =>
  ['eth_getLogs', 'eth_getBlockReceipts'].includes(asked[0]) ? status(503)(...asked) : undefined;
const away: Fault = (...asked) => status(503)(...asked);
const largeReceipt: Fault = (...asked) => (isReceipt(asked[0], asked[1]) ? status(413)(...asked) : undefined);

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

/** Watches a network on which one block holds a transfer to a watched address, until the head is far above it. */
async function watched(mode: Mode, faults: readonly Fault[]) {
  let head = START;
  const transactions = [{ transfers: [{ to: ADDRESS, value: 10n ** 18n }], junk: 5 }];
  const crowded = new CrowdedNode({ height: AT, contract: TOKENS['usdt-bnb'].contract[mode], transactions });
  const blockAt = (height: number) => {
    if (height > head) return null;
    return { ...rpcBlock(height, timeOf(height)), ...(height === AT && { transactions: crowded.block.transactions }) };
  };
  const node =
    (fault: Fault): Behaviour =>
    (method, params, response) => {
      const [first] = params;
      // The first question of a watched network is answered by all.
      const instead = head > START ? fault(method, params, response) : undefined;
      if (instead !== undefined) return instead;
      if (method === 'eth_chainId') return { result: mode === 'live' ? '0x38' : '0x61' };
      if (method === 'eth_getBlockByNumber')
        return { result: blockAt({ latest: head, finalized: head - 2 }[first as string] ?? Number(first)) };
      if (method === 'eth_getBlockByHash') return { result: blockAt(Number(first)) };
      if (method === 'eth_getBlockReceipts') return { result: Number(first) === AT ? crowded.receipts : [] };
      return crowded.behaviour(method, params, response);
    };
  const providers = await Promise.all(faults.map(fault => stage.provider(node(fault))));
  const chain = stage.chainOf(providers, AMPLE_MS, mode);
  const fixture = new PaymentFixture({ mode, network: 'bnb', chain, clock: stage.clock });
  const watcher = await fixture.watcher();
  await watcher.tick();
  for (let tick = 0; tick < TICKS; tick++) {
    head += STEP;
    stage.clock.timeMs += STEP_MS;
    await watcher.tick().catch(() => undefined);
  }
  const holes = await fixture.setAside().holes(64);
  return {
    lag: head - ((await fixture.coverage())?.number ?? 0),
    holes: holes.map(({ body }) => [body.block_number, body.reason, body.block_time]),
  };
}

const own = new Date(timeOf(AT) * 1_000).toISOString();
const before = new Date(timeOf(AT - 1) * 1_000).toISOString();

const FAULTS: readonly (readonly [string, Mode, readonly Fault[], readonly unknown[]])[] = [
  ['no fault at all', 'live', [honest, honest], []],
  ['a receipt that is too large', 'test', [largeReceipt], [[AT, 'unreadable', own]]],
  ['a receipt that one of two cannot give', 'live', [honest, withoutReceipt], [[AT, 'unreadable', own]]],
  ['a block that one of two lacks', 'live', [honest, withoutBlock], [[AT, 'unreadable', before]]],
  ['a header that one of two cannot give', 'live', [honest, withoutHeader], [[AT, 'disputed', before]]],
  ['a block of which one of two tells another time', 'live', [honest, otherTime], [[AT, 'disputed', before]]],
  ['a log that one of three lacks while another gives no logs', 'live', [honest, withoutLog, withoutLogs], []],
  ['a log that one of three lacks while another tells of no blocks', 'live', [honest, withoutLog, withoutReadings],
    [[AT, 'unreadable', own]]],
]; // prettier-ignore
/** The first so many of them. */
const TRIED = searchSize('FAULTY_ANSWERS', { small: 1, full: FAULTS.length });

describe('a fault of one question is no outage of the network', () => {
  test.each(FAULTS.slice(0, TRIED))('%s (%s)', async (_name, mode, faults, holes) => {
    const seen = await watched(mode, faults);
    expect(seen).toMatchObject({ holes });
    expect(seen.lag).toBeLessThan(2 * STEP);
  }, LIMIT_MS); // prettier-ignore

  test('one of two that answers nothing holds the network, and nothing is set aside', async () => {
    const { lag, holes } = await watched('live', [honest, away]);
    expect(holes).toStrictEqual([]);
    expect(lag).toBeGreaterThanOrEqual(TICKS * STEP);
  }, LIMIT_MS); // prettier-ignore
});
