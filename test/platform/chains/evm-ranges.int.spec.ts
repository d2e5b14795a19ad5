import { TOKENS } from '../../../src/vocabulary/tokens';
import { TRANSFER_TOPIC, addressTopic } from '../../../src/platform/chains/evm/transfer-logs';
import { EvmStage, refusalOf } from './evm-stage';
import { except, honest, rpcBlock, type Behaviour, type ScriptedProvider } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const PAYER = '0x000000000000000000000000000000000000dEaD';

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const provider = (behaviour: Behaviour) => stage.provider(behaviour);
const chainOf = (providers: readonly ScriptedProvider[]) => stage.chainOf(providers);

const txHash = (index: number) => `0x${(index + 1).toString(16).padStart(64, 'c')}`;

function transferLog(height: number, index: number, to: string) {
  return {
    address: CONTRACT.toLowerCase(),
    topics: [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(to)],
    data: `0x${'5'.padStart(64, '0')}`,
    logIndex: `0x${index.toString(16)}`,
    transactionHash: txHash(index),
    blockNumber: rpcBlock(height).number,
    blockHash: rpcBlock(height).hash,
  };
}

const strangerLog = (index: number) => transferLog(1, index, PAYER);

describe('ranges', () => {
  const width = (params: readonly unknown[]) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock) + 1;
  };
  const limitedTo =
    (most: number, code: number, message: string): Behaviour =>
    (_method, params) =>
      width(params) > most ? { error: { code, message } } : { result: [] };

  test('every block is asked for once, in growing spans', async () => {
    const node = await provider(honest(1_000));
    await chainOf([node]).transfersInRange(1, 75, CONTRACT, [MERCHANT]);
    const widths = node.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => width(params));
    expect(widths).toEqual([10, 11, 12, 13, 14, 15]);
  });

  test.each([
    [-32005, 'limit exceeded'],
    [-32602, 'invalid params'],
    [-32000, 'block range is too wide'],
    [-32614, 'eth_getLogs is limited to a 5 blocks range'],
  ])('spans are halved after error %s %s until the node takes them', async (code, message) => {
    const answered: number[] = [];
    const limited: Behaviour = (_method, params) => {
      if (width(params) > 5) return { error: { code, message } };
      answered.push(width(params));
      return { result: [] };
    };
    const node = await provider(except('eth_getLogs', limited));
    await chainOf([node]).transfersInRange(1, 20, CONTRACT, [MERCHANT]);
    expect(answered.reduce((sum, blocks) => sum + blocks, 0)).toBe(20);
    expect(Math.max(...answered)).toBe(5);
  });

  test('a limit that was met is kept to', async () => {
    const node = await provider(except('eth_getLogs', limitedTo(5, -32_005, 'limit exceeded'), honest(2_000)));
    const chain = chainOf([node]);
    await chain.transfersInRange(1, 1_000, CONTRACT, [MERCHANT]);
    const widths = node.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => width(params));
    expect(widths.filter(blocks => blocks > 5).length).toBeLessThanOrEqual(5);
    expect(widths.filter(blocks => blocks <= 5).reduce((sum, blocks) => sum + blocks, 0)).toBe(1_000);
  });

  test.each(['rate limit exceeded', 'daily request count exceeded', '25 requests per second is the limit'])(
    'too many questions are not made more by halving: %s',
    async message => {
      const node = await provider(except('eth_getLogs', () => ({ error: { code: -32_005, message } })));
      const refusal = await refusalOf(chainOf([node]).transfersInRange(1, 20, CONTRACT, [MERCHANT]));
      expect(refusal.code).toBe('provider_unavailable');
      expect(node.count('eth_getLogs')).toBe(1);
    },
  );

  test('a range beyond the provider’s own head is no empty one', async () => {
    const node = await provider(honest(100));
    const refusal = await refusalOf(chainOf([node]).transfersInRange(95, 101, CONTRACT, [MERCHANT]));
    expect(refusal.code).toBe('provider_unavailable');
    expect(node.count('eth_getLogs')).toBe(0);
  });

  test('as many logs as a silent cap would leave are asked for again in halves', async () => {
    const strangers = (count: number) => Array.from({ length: count }, (_, index) => strangerLog(index));
    const capped: Behaviour = (_method, params) => ({ result: width(params) > 2 ? strangers(1_000) : [] });
    const node = await provider(except('eth_getLogs', capped));
    expect((await chainOf([node]).transfersInRange(1, 10, CONTRACT, [MERCHANT])).transfers).toEqual([]);
    const widths = node.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => width(params));
    expect(widths.filter(blocks => blocks <= 2).reduce((sum, blocks) => sum + blocks, 0)).toBe(10);
  });

  test('another error is not asked again', async () => {
    const node = await provider(except('eth_getLogs', () => ({ error: { code: -32000, message: 'out of gas' } })));
    await refusalOf(chainOf([node]).transfersInRange(1, 20, CONTRACT, [MERCHANT]));
    expect(node.count('eth_getLogs')).toBe(1);
  });
});

describe('a range that is taken up again after a failure', () => {
  const receipt = { ...transferLog(3, 0, MERCHANT), status: '0x1', logs: [transferLog(3, 0, MERCHANT)] };
  const FORK = 'f'.repeat(60);
  let fails: boolean;
  let forked: boolean;
  let node: ScriptedProvider;

  /** Fails behind block 10 when told; on the fork that it follows then, the payment of block 3 is missing. */
  const failing: Behaviour = (method, params, response) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    if (method === 'eth_getTransactionReceipt') return { result: receipt };
    if (method === 'eth_getLogs') {
      if (fails && Number(fromBlock) > 10) return { error: { code: -32_000, message: 'out of gas' } };
      const isIn = !forked && Number(fromBlock) <= 3 && Number(toBlock) >= 3;
      return { result: isIn ? receipt.logs : [] };
    }
    const answer = honest(100)(method, params, response);
    if (!forked || method !== 'eth_getBlockByNumber' || answer === 'written' || !('result' in answer)) return answer;
    const { hash, parentHash, ...rest } = answer.result as ReturnType<typeof rpcBlock>;
    const ofFork = (text: string) => `0x${FORK}${text.slice(-4)}`;
    return { result: { ...rest, hash: ofFork(hash), parentHash: ofFork(parentHash) } };
  };

  beforeEach(async () => {
    [fails, forked] = [true, false];
    node = await provider(failing);
  });

  const lowestAsked = () =>
    Math.min(
      ...node.asked
        .splice(0)
        .flatMap(({ method, params }) =>
          method === 'eth_getLogs' ? [Number((params[0] as { fromBlock: string }).fromBlock)] : [],
        ),
    );

  test('goes on where it failed, with what it found before', async () => {
    const chain = chainOf([node]);
    await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    expect(lowestAsked()).toBe(1);
    fails = false;
    expect((await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT])).transfers).toMatchObject([{ blockNumber: 3 }]);
    expect(lowestAsked()).toBe(11);
  });

  test('goes on there too after its first block was asked for alone, as one that is to tell for the others', async () => {
    const chain = chainOf([node]);
    await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    await chain.transfersInRange(1, 1, CONTRACT, [MERCHANT]);
    lowestAsked();
    fails = false;
    expect((await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT])).transfers).toMatchObject([{ blockNumber: 3 }]);
    expect(lowestAsked()).toBe(11);
  });

  test('goes on there too after another range has failed half-way', async () => {
    const chain = chainOf([node]);
    await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    await refusalOf(chain.transfersInRange(2, 41, CONTRACT, [MERCHANT]));
    lowestAsked();
    fails = false;
    await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]);
    expect(lowestAsked()).toBe(11);
  });

  test('goes on there with a further end, and not where it is to end before', async () => {
    const chain = chainOf([node]);
    await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    fails = false;
    lowestAsked();
    expect((await chain.transfersInRange(1, 5, CONTRACT, [MERCHANT])).endHash).toBe(rpcBlock(5).hash);
    expect(lowestAsked()).toBe(1);
    expect((await chain.transfersInRange(1, 60, CONTRACT, [MERCHANT])).transfers).toMatchObject([{ blockNumber: 3 }]);
    expect(lowestAsked()).toBe(11);
  });

  test('begins anew where what it read before has left the chain', async () => {
    const chain = chainOf([node]);
    forked = true;
    await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    [fails, forked] = [false, false];
    expect((await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT])).transfers).toMatchObject([{ blockNumber: 3 }]);
  });

  test('is refused where its first blocks were read of another chain than its last', async () => {
    [fails, forked] = [false, true];
    const turning = await provider((method, params, response) => {
      const { fromBlock } = (params[0] ?? {}) as { fromBlock?: string };
      if (method === 'eth_getLogs' && Number(fromBlock) > 10) forked = false;
      if (method === 'eth_getBlockByNumber' && params[0] === '0x28') forked = false;
      return failing(method, params, response);
    });
    const chain = chainOf([turning]);
    const refusal = await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]));
    expect(refusal.code).toBe('provider_response_invalid');
    const reading = await chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ endHash: rpcBlock(40).hash, transfers: [{ blockNumber: 3 }] });
  });
});

describe('a provider without logs', () => {
  const block = { ...rpcBlock(7), transactions: [txHash(0), txHash(1), txHash(2)] };
  const receipts = [MERCHANT, PAYER, MERCHANT].map((to, index) => ({
    transactionHash: txHash(index),
    status: index === 2 ? '0x0' : '0x1',
    blockNumber: block.number,
    blockHash: block.hash,
    logs: index === 2 ? [] : [transferLog(7, index, to)],
  }));
  const paid = { txHash: txHash(0), ordinal: 0, from: PAYER, to: MERCHANT, blockHash: block.hash, valueBaseUnits: 5n };

  const withReceipts = (answer: unknown, error = { code: -32_005, message: 'limit exceeded' }): Behaviour =>
    except(
      'eth_getLogs',
      () => ({ error }),
      except(
        'eth_getBlockReceipts',
        () => ({ result: answer }),
        (method, params, response) => {
          const isOfBlock = params[0] === block.hash || params[0] === block.number;
          return method.startsWith('eth_getBlockBy') && isOfBlock
            ? { result: block }
            : honest(100)(method, params, response);
        },
      ),
    );

  test.each([
    [-32_005, 'limit exceeded'],
    [-32_601, 'the method eth_getLogs does not exist/is not available'],
    [-32_000, 'eth_getLogs is disabled'],
  ])('is read by its receipts after error %s %s', async (code, message) => {
    const node = await provider(withReceipts(receipts, { code, message }));
    expect((await chainOf([node]).transfersInBlock(block.hash, CONTRACT, [MERCHANT])).transfers).toMatchObject([paid]);
  });

  test('is read so over a range too, one block after the other', async () => {
    const node = await provider(withReceipts(receipts));
    expect((await chainOf([node]).transfersInRange(1, 20, CONTRACT, [MERCHANT])).transfers).toMatchObject([paid]);
    expect(node.count('eth_getBlockReceipts')).toBe(1);
  });

  test('is not asked for logs again at every block', async () => {
    const node = await provider(withReceipts(receipts));
    const chain = chainOf([node]);
    for (let i = 0; i < 3; i++) await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]);
    expect(node.count('eth_getLogs')).toBe(1);
    expect(node.count('eth_getBlockReceipts')).toBe(3);
  });

  const otherHash = rpcBlock(8).hash;
  test.each<[string, string, unknown]>([
    ['no receipts', 'provider_unavailable', null],
    ['one receipt too few', 'provider_response_invalid', receipts.slice(0, 2)],
    ['receipts out of order', 'provider_response_invalid', [...receipts].reverse()],
    ['receipts of another block', 'provider_response_invalid', receipts.map(one => ({ ...one, blockHash: otherHash }))],
    ['logs of another block', 'provider_response_invalid', receipts.map(one => ({ ...one, logs: one.logs.map(log => ({ ...log, blockHash: otherHash })) }))],
  ])('with %s is refused as %s', async (_name, code, answer) => {
    const chain = chainOf([await provider(withReceipts(answer))]);
    expect((await refusalOf(chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]))).code).toBe(code);
  }); // prettier-ignore
});

test('the number of questions does not depend on the number of wallets', async () => {
  const asked: number[] = [];
  for (const wallets of [10, 10_000]) {
    const recipients = Array.from({ length: wallets }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    const node = await provider(honest(100));
    const chain = chainOf([node]);
    for (let height = 1; height <= 20; height++) {
      await chain.transfersInBlock(rpcBlock(height).hash, CONTRACT, recipients);
    }
    await chain.transfersInRange(21, 60, CONTRACT, recipients);
    asked.push(node.asked.length);
  }
  expect(asked[1]).toBe(asked[0]);
});
