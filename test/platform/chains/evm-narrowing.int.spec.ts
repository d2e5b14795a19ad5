import { TOKENS } from '../../../src/vocabulary/tokens';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { AMPLE_MS, EvmStage, refusalOf, status } from './evm-stage';
import { except, type Behaviour } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const OTHERS = Array.from({ length: 15 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '7')}`);
const AT = 7;
/** The patience with a provider whose answer does not end. */
const TIMEOUT_MS = 1_000;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const crowded = new CrowdedNode({
  height: AT,
  contract: CONTRACT,
  transactions: [{ transfers: [{ to: MERCHANT, value: 5n }], junk: 3 }, { junk: 5 }],
});
const { block, behaviour } = crowded;
const found = { transfers: [{ txHash: crowdedTx(0), valueBaseUnits: 5n }], unread: [] };

type Query = { readonly blockHash?: string; readonly fromBlock: string; readonly toBlock: string };
const holdsBlock = (params: readonly unknown[]): boolean => {
  const { blockHash, fromBlock, toBlock } = params[0] as Query;
  return blockHash ? blockHash === block.hash : Number(fromBlock) <= AT && Number(toBlock) >= AT;
};
const endless: Behaviour = (_method, _params, response) => {
  response.write('{"jsonrpc":"2.0","id":1,"result":[');
  return 'written';
};
const failingLogs = (fault: Behaviour): Behaviour =>
  except('eth_getLogs', (...asked) => (holdsBlock(asked[1]) ? fault : behaviour)(...asked), behaviour);

const faults: [string, Behaviour][] = [
  ['comes with status 413', status(413)],
  ['comes with status 504', status(504)],
  ['does not come to an end', endless],
  ['breaks off', (_method, _params, response) => {
    response.socket?.destroy();
    return 'written';
  }],
]; // prettier-ignore

describe.each(faults)('where the answer for the logs of one block %s', (_name, fault) => {
  const timeoutMs = fault === endless ? TIMEOUT_MS : AMPLE_MS;

  test('a range around it is read, that block by its receipts', async () => {
    const node = await stage.provider(failingLogs(fault));
    const chain = stage.chainOf([node], timeoutMs);
    expect(await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT])).toMatchObject(found);
    expect(node.count('eth_getBlockReceipts')).toBe(1);
  });

  test('it is read by its receipts', async () => {
    const chain = stage.chainOf([await stage.provider(failingLogs(fault))], timeoutMs);
    expect(await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])).toMatchObject(found);
  });

  test('one whose receipts are no better is refused while the provider may be away', async () => {
    const mute = except('eth_getBlockReceipts', status(503), failingLogs(fault));
    const chain = stage.chainOf([await stage.provider(mute)], timeoutMs);
    expect((await refusalOf(chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]))).code).toBe(
      'provider_unavailable',
    );
  });
});

test('logs that are too much for one answer are asked for again for half of the recipients', async () => {
  const few: Behaviour = (method, params, response) =>
    (params[0] as { topics: string[][] }).topics[2]?.length === 16
      ? status(413)(method, params, response)
      : behaviour(method, params, response);
  const node = await stage.provider(except('eth_getLogs', few, behaviour));
  const reading = await stage.chainOf([node]).transfersInBlock(block.hash, CONTRACT, [...OTHERS, MERCHANT]);
  expect(reading).toMatchObject(found);
  expect(node.count('eth_getLogs')).toBe(3);
  expect(node.count('eth_getBlockReceipts')).toBe(0);
});

test.each<[string, (chain: ReturnType<EvmStage['chainOf']>) => Promise<unknown>]>([
  ['block', chain => chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])],
  ['range', chain => chain.transfersInRange(1, 40, CONTRACT, [MERCHANT])],
])('of a %s, a transaction whose receipt is too large for one answer is unread', async (_name, read) => {
  const node = await stage.provider(except('eth_getTransactionReceipt', status(413), behaviour));
  expect(await read(stage.chainOf([node]))).toMatchObject({
    transfers: [],
    unread: [{ number: AT, hash: block.hash, reason: 'unreadable', txHash: crowdedTx(0) }],
  });
});

describe('a provider that takes a search of few blocks alone', () => {
  const widthOf = (params: readonly unknown[]): number => {
    const { fromBlock, toBlock } = params[0] as Query;
    return Number(toBlock) - Number(fromBlock) + 1;
  };
  const upTo = (most: number, refusal: Behaviour): Behaviour =>
    except('eth_getLogs', (...asked) => (widthOf(asked[1]) > most ? refusal : behaviour)(...asked), behaviour);
  const refusing =
    (code: number, message: string): Behaviour =>
    () => ({ error: { code, message } });

  test.each<[string, Behaviour]>([
    ['status 500', status(500)],
    ['status 502', status(502)],
    ['status 503', status(503)],
    ['status 504', status(504)],
    ['a code for a long answer', refusing(-32_003, 'response too big')],
    ['a code for a slow one', refusing(-32_002, 'request timed out')],
    ['the code for a wrong request', refusing(-32_600, 'up to 5 blocks are served')],
    ['the code for everything', refusing(-32_000, 'query exceeds what is served')],
    ['a code of its own', refusing(35, 'upgrade your plan')],
  ])('and answers %s for wider ones is asked again for fewer, and stays at work', async (_what, refusal) => {
    const node = await stage.provider(upTo(5, refusal));
    expect(await stage.chainOf([node]).transfersInRange(1, 90, CONTRACT, [MERCHANT])).toMatchObject(found);
    const widths = node.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => widthOf(params));
    expect(widths.filter(width => width <= 5).reduce((sum, width) => sum + width, 0)).toBe(90);
    // The provider's width is met a few times, and then kept to.
    expect(widths.filter(width => width > 5).length).toBeLessThanOrEqual(5);
    expect(node.count('eth_getBlockReceipts')).toBe(0);
    expect(stage.log.said('chain provider failed')).toStrictEqual([]);
  });

  test.each([500, 502, 503])('fails once it answers status %i for a single block as well', async code => {
    const node = await stage.provider(upTo(0, status(code)));
    const { code: refused } = await refusalOf(stage.chainOf([node]).transfersInRange(1, 8, CONTRACT, [MERCHANT]));
    expect(refused).toBe('provider_unavailable');
    const widths = node.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => widthOf(params));
    expect(widths).toStrictEqual([8, 4, 2, 1]);
    expect(stage.log.said('chain provider failed')).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['asks for a pause', (method, params, response) => {
      response.setHeader('retry-after', '2');
      return status(503)(method, params, response);
    }],
    ['counts questions', refusing(-32_000, 'too many requests')],
  ])('is not asked again where it %s', async (_what, refusal) => {
    const node = await stage.provider(upTo(0, refusal));
    await refusalOf(stage.chainOf([node]).transfersInRange(1, 8, CONTRACT, [MERCHANT]));
    expect(node.count('eth_getLogs')).toBe(1);
  }); // prettier-ignore
});

describe('a provider that fails for all logs while it answers all else', () => {
  const read = async (chain: ReturnType<EvmStage['chainOf']>) =>
    chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]).catch(() => null);

  test('is read by its receipts after some tries', async () => {
    const node = await stage.provider(except('eth_getLogs', status(503), behaviour));
    const chain = stage.chainOf([node]);
    let reading = await read(chain);
    for (let tries = 1; reading === null && tries < 10; tries++) reading = await read(chain);
    expect(reading).toMatchObject(found);
    expect(node.count('eth_getLogs')).toBe(8);
  });

  test('is asked for logs as before where these were only away for a while', async () => {
    let left = 5;
    const node = await stage.provider(
      except('eth_getLogs', (...asked) => (left-- > 0 ? status(503) : behaviour)(...asked), behaviour),
    );
    const chain = stage.chainOf([node]);
    for (let tries = 0; tries < 6; tries++) await read(chain);
    expect(await read(chain)).toMatchObject(found);
    expect(node.count('eth_getBlockReceipts')).toBe(0);
  });
});
