import { TOKENS } from '../../../src/vocabulary/tokens';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { EvmStage, refusalOf, status } from './evm-stage';
import { except, type Behaviour, type ScriptedProvider } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const OTHERS = Array.from({ length: 15 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '7')}`);

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const provider = (behaviour: Behaviour) => stage.provider(behaviour);
const chainOf = (providers: readonly ScriptedProvider[]) => stage.chainOf(providers);
const zeros = (count: number) => Array.from({ length: count }, () => ({ to: MERCHANT, value: 0n }));
const paid = { to: MERCHANT, value: 5n };
const without = (code: number, message: string, otherwise: Behaviour) =>
  except('eth_getLogs', () => ({ error: { code, message } }), otherwise);

describe('as many logs of one block as a cap would leave', () => {
  const toOthers = OTHERS.map(to => ({ to, value: 1n }));
  const logsAsked = (node: ScriptedProvider) =>
    node.asked.flatMap(({ method, params }) =>
      method === 'eth_getLogs' ? [(params[0] as { topics: string[][] }).topics[2]?.length] : [],
    );

  test('are asked for again for half of the recipients, until no answer looks cut', async () => {
    const crowded = new CrowdedNode({
      height: 7,
      contract: CONTRACT,
      transactions: [{ transfers: zeros(985) }, { transfers: [...toOthers, paid] }],
    });
    const capped = except(
      'eth_getLogs',
      (_method, params) => ({ result: crowded.logs(params, 1_000) }),
      crowded.behaviour,
    );
    const node = await provider(capped);
    const reading = await chainOf([node]).transfersInBlock(crowded.block.hash, CONTRACT, [...OTHERS, MERCHANT]);
    expect(reading.transfers).toHaveLength(16);
    expect(reading.transfers).toContainEqual(
      expect.objectContaining({ txHash: crowdedTx(1), ordinal: 15, to: MERCHANT }),
    );
    expect(reading.unread).toEqual([]);
    expect(logsAsked(node)).toEqual([16, 8, 8]);
    expect(node.count('eth_getBlockReceipts')).toBe(0);
  });

  test('make only that block of a range be read by its receipts', async () => {
    const crowded = new CrowdedNode({
      height: 7,
      contract: CONTRACT,
      transactions: [{ transfers: [...zeros(1_000), paid] }],
    });
    const capped = except(
      'eth_getLogs',
      (_method, params) => ({ result: crowded.logs(params, 1_000) }),
      crowded.behaviour,
    );
    const node = await provider(capped);
    const reading = await chainOf([node]).transfersInRange(1, 40, CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [{ ordinal: 1_000, valueBaseUnits: 5n }], unread: [] });
    expect(node.count('eth_getBlockReceipts')).toBe(1);
  });
});

test.each([413, 500, 502, 504])('receipts that come with status %s are asked for one by one', async code => {
  const transactions = [{ transfers: zeros(1_000) }, { junk: 10 }, { transfers: [paid] }];
  const crowded = new CrowdedNode({ height: 7, contract: CONTRACT, transactions });
  const noLogs = without(-32_601, 'the method eth_getLogs does not exist', crowded.behaviour);
  const node = await provider(except('eth_getBlockReceipts', status(code), noLogs));
  const reading = await chainOf([node]).transfersInBlock(crowded.block.hash, CONTRACT, [MERCHANT]);
  expect(reading).toMatchObject({ transfers: [{ txHash: crowdedTx(2), ordinal: 0 }], unread: [] });
  expect(node.count('eth_getTransactionReceipt')).toBe(3);
});

describe('a block of which one transaction cannot be made out', () => {
  const crowded = new CrowdedNode({
    height: 7,
    contract: CONTRACT,
    transactions: [{ transfers: [paid] }, { transfers: [paid], junk: 2 }, { transfers: [paid] }],
  });
  const { block } = crowded;
  const [first, second, third] = crowded.receipts;
  const broken = {
    ...second,
    logs: second?.logs.map((log, index) => (index === 1 ? { ...log, logIndex: null } : log)),
  };
  const noLogs = without(-32_601, 'the method eth_getLogs does not exist', crowded.behaviour);
  const brokenBlock = except('eth_getBlockReceipts', () => ({ result: [first, broken, third] }), noLogs);
  const brokenFor: Behaviour = (_method, params) => ({
    result: params[0] === crowdedTx(1) ? broken : crowded.receipts.find(one => one.transactionHash === params[0]),
  });
  const read = async (...nodes: Behaviour[]) =>
    chainOf(await Promise.all(nodes.map(provider))).transfersInBlock(block.hash, CONTRACT, [MERCHANT]);
  const unread = { number: 7, hash: block.hash, reason: 'unreadable', txHash: crowdedTx(1) };

  test('is read whole where its receipt is better alone', async () => {
    expect(await read(brokenBlock)).toMatchObject({ transfers: [{}, {}, {}], unread: [] });
  });

  test('names it, beside all that was read', async () => {
    const brokenAlone = except('eth_getTransactionReceipt', brokenFor, brokenBlock);
    expect(await read(brokenAlone)).toMatchObject({
      transfers: [{ txHash: crowdedTx(0) }, { txHash: crowdedTx(2) }],
      unread: [unread],
    });
  });

  test('is read whole by the next provider', async () => {
    const brokenAlone = except('eth_getTransactionReceipt', brokenFor, brokenBlock);
    expect(await read(brokenAlone, crowded.behaviour)).toMatchObject({ transfers: [{}, {}, {}], unread: [] });
  });

  test('is no reason to set anything aside while a provider is away', async () => {
    const brokenAlone = except('eth_getTransactionReceipt', brokenFor, brokenBlock);
    expect((await refusalOf(read(brokenAlone, status(503)))).code).toBe('provider_unavailable');
  });
});

test('a provider whose logs are no logs in every block has a fault of its own', async () => {
  const crowded = new CrowdedNode({ height: 7, contract: CONTRACT, transactions: [{ transfers: [paid] }] });
  const chain = chainOf([await provider(except('eth_getLogs', () => ({ result: [null] }), crowded.behaviour))]);
  expect((await refusalOf(chain.transfersInRange(1, 40, CONTRACT, [MERCHANT]))).code).toBe('provider_response_invalid');
});
