import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { Mode } from '../../../src/vocabulary/modes';
import { isUnanswered } from '../../../src/kernel/ports/chain';
import { TOKENS } from '../../../src/vocabulary/tokens';
import type { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { AMPLE_MS, EvmStage, refusalOf, status } from './evm-stage';
import { except, rpcBlock, type Behaviour } from './scripted-provider';

const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const AT = 7;
const [lost, kept] = [crowdedTx(0), crowdedTx(1)];
const EVERY_MS = 15 * SECOND_MS;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const paid = { transfers: [{ to: MERCHANT, value: 5n }] };
const contractOf = (mode: Mode): string => TOKENS['usdt-bnb'].contract[mode];

function node(mode: Mode, fault: (otherwise: Behaviour, crowded: CrowdedNode) => Behaviour): Behaviour {
  const crowded = new CrowdedNode({ height: AT, contract: contractOf(mode), transactions: [paid, paid] });
  const served = except('eth_chainId', () => ({ result: mode === 'live' ? '0x38' : '0x61' }), crowded.behaviour);
  return fault(served, crowded);
}

const honest = (otherwise: Behaviour): Behaviour => otherwise;
/** The provider has the block, its logs and the other receipts. */
const withoutReceipt = (otherwise: Behaviour, { receipts }: CrowdedNode): Behaviour =>
  except('eth_getTransactionReceipt', (...asked) => (asked[1][0] === lost ? { result: null } : otherwise(...asked)),
    except('eth_getBlockReceipts', () => ({ result: receipts.slice(1) }), otherwise)); // prettier-ignore
/** The provider tells of blocks by their numbers alone. */
const withoutContents = (otherwise: Behaviour): Behaviour => except('eth_getBlockByHash', status(503), otherwise);
const away = (otherwise: Behaviour): Behaviour =>
  except('eth_getBlockByNumber', status(503), withoutContents(otherwise));

const read = (chain: EvmChain, mode: Mode, height = AT) =>
  chain.transfersInBlock(rpcBlock(height).hash, contractOf(mode), [MERCHANT]);

/** Asks as a watcher does, between questions that are answered, until something else than a passing refusal comes. */
async function readAtLength(chain: EvmChain, mode: Mode, height = AT) {
  for (let passedMs = 0; passedMs <= 2 * MINUTE_MS; passedMs += EVERY_MS) {
    await chain.head().catch(() => undefined);
    const outcome = await read(chain, mode, height).catch((error: unknown) => error as Error);
    if (!(outcome instanceof Error) || isUnanswered(outcome)) return { outcome, passedMs };
    stage.clock.timeMs += EVERY_MS;
  }
  return { outcome: null, passedMs: Infinity };
}

describe.each<[Mode, string, readonly ((otherwise: Behaviour, crowded: CrowdedNode) => Behaviour)[]]>([
  ['test', 'the only provider', [withoutReceipt]],
  ['live', 'one of two providers', [honest, withoutReceipt]],
  ['live', 'each of two providers', [withoutReceipt, withoutReceipt]],
])('in %s mode, where %s lacks one receipt of a new block', (mode, _whose, faults) => {
  test('the block is refused at first, and then its other transactions are read', async () => {
    const nodes = await Promise.all(faults.map(fault => stage.provider(node(mode, fault))));
    const chain = stage.chainOf(nodes, AMPLE_MS, mode);
    expect(isUnanswered(await refusalOf(read(chain, mode)))).toBe(false);
    const { outcome, passedMs } = await readAtLength(chain, mode);
    expect(outcome).toMatchObject({
      transfers: [{ txHash: kept }],
      unread: [{ number: AT, reason: 'unreadable', txHash: lost }],
    });
    expect(passedMs).toBeLessThanOrEqual(1.5 * MINUTE_MS);
  });
});

describe('where one of two providers tells of nothing in new blocks', () => {
  let isAway: boolean;
  let chain: EvmChain;

  beforeEach(async () => {
    isAway = false;
    const [lacking, silent] = [node('live', withoutContents), node('live', away)];
    const nodes = [node('live', honest), (...asked: Parameters<Behaviour>) => (isAway ? silent : lacking)(...asked)];
    chain = stage.chainOf(await Promise.all(nodes.map(each => stage.provider(each))), AMPLE_MS, 'live');
    await chain.check();
  });

  test('a block is unanswered once that has lasted, and the ones behind it at once', async () => {
    const first = await readAtLength(chain, 'live');
    expect(isUnanswered(first.outcome)).toBe(true);
    expect(first.passedMs).toBeGreaterThanOrEqual(MINUTE_MS);
    for (const height of [AT + 1, AT + 2, AT + 3])
      expect(isUnanswered(await refusalOf(read(chain, 'live', height)))).toBe(true);
  });

  test('the ones behind it are refused where that one answers nothing else either', async () => {
    await readAtLength(chain, 'live');
    isAway = true;
    expect(isUnanswered(await refusalOf(read(chain, 'live', AT + 1)))).toBe(false);
  });

  test('no block is unanswered while that one answers nothing', async () => {
    isAway = true;
    for (let tries = 0; tries < 4; tries++) {
      expect(isUnanswered(await refusalOf(read(chain, 'live')))).toBe(false);
      stage.clock.timeMs += EVERY_MS;
    }
  });
});
