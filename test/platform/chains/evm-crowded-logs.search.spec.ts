import { TOKENS } from '../../../src/vocabulary/tokens';
import { searchSize } from '../../levels/search-size';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { EvmStage } from './evm-stage';
import { except, type Behaviour } from './scripted-provider';

const LOGS = searchSize('CROWDED_LOGS', { small: 8_000, full: 80_000 });
const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const LIMIT_MS = 60_000;
/** Other work has a turn for each so many logs at least. */
const LOGS_BETWEEN_TURNS = 4_000;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

describe(`a block of 1,000 transfers of nothing to a watched address and ${LOGS} empty logs`, () => {
  const crowded = new CrowdedNode({
    height: 7,
    contract: CONTRACT,
    transactions: [
      { transfers: Array.from({ length: 1_000 }, () => ({ to: MERCHANT, value: 0n })) },
      { junk: LOGS / 2 },
      { transfers: [{ to: MERCHANT, value: 5n }] },
      { junk: LOGS / 2 },
    ],
  });
  const { block, behaviour } = crowded;
  const found = { txHash: crowdedTx(2), ordinal: 0, to: MERCHANT, valueBaseUnits: 5n, blockHash: block.hash };
  /** The payment is the log that a silent cap leaves out. */
  const capped = except('eth_getLogs', (_method, params) => ({ result: crowded.logs(params, 1_000) }), behaviour);

  test.each<[string, Behaviour]>([
    ['by the logs of a provider that cuts them off', capped],
    [
      'by the receipts of one that gives no logs',
      except('eth_getLogs', () => ({ error: { code: -32_005, message: 'limit exceeded' } }), behaviour),
    ],
  ])('is read %s', async (_name, node) => {
    const chain = stage.chainOf([await stage.provider(node)]);
    const whole = { transfers: [found], unread: [] };
    expect(await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])).toMatchObject(whole);
    expect(await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT])).toMatchObject(whole);
  }, LIMIT_MS); // prettier-ignore

  test('lets other work have its turns while it is read', async () => {
    const chain = stage.chainOf([await stage.provider(capped)]);
    await chain.check();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(LOGS / LOGS_BETWEEN_TURNS);
  }, LIMIT_MS); // prettier-ignore
});
