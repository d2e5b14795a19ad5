import { TOKENS } from '../../../src/vocabulary/tokens';
import type { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { MOST_DISPUTED_TRANSACTIONS } from '../../../src/platform/chains/providers/reading-agreement';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { AMPLE_MS, EvmStage, refusalOf, status } from './evm-stage';
import { except, type Behaviour } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.live;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const paid = { to: MERCHANT, value: 5n };

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const crowded = new CrowdedNode({
  height: 7,
  contract: CONTRACT,
  transactions: [{ transfers: [paid] }, { transfers: [paid] }],
});
const { block, receipts } = crowded;
const live = (otherwise: Behaviour = crowded.behaviour) => except('eth_chainId', () => ({ result: '0x38' }), otherwise);
const [kept, lost] = [crowdedTx(0), crowdedTx(1)];

const otherValue = receipts[1]?.logs.map(log => ({ ...log, data: `0x${'6'.padStart(64, '0')}` }));

/** The provider's search leaves the second transaction out, for good. */
const withoutLog = live(
  except(
    'eth_getLogs',
    (_method, params) => ({ result: crowded.logs(params).filter(log => log.transactionHash !== lost) }),
    crowded.behaviour,
  ),
);
const answeringReceipt = (answer: unknown, otherwise = withoutLog): Behaviour =>
  except(
    'eth_getTransactionReceipt',
    (_method, params) => ({
      result: params[0] === lost ? answer : receipts.find(one => one.transactionHash === params[0]),
    }),
    otherwise,
  );
const unread = { number: 7, hash: block.hash, txHash: lost };

async function liveChain(...behaviours: Behaviour[]) {
  const providers = await Promise.all(behaviours.map(behaviour => stage.provider(behaviour)));
  return { providers, chain: stage.chainOf(providers, AMPLE_MS, 'live') };
}

describe.each<[string, (chain: EvmChain) => ReturnType<EvmChain['transfersInBlock']>]>([
  ['block', chain => chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])],
  ['range', chain => chain.transfersInRange(1, 20, CONTRACT, [MERCHANT])],
])('of two providers of which one lacks a log of a %s', (_name, read) => {
  test('both receipts decide', async () => {
    const { chain, providers } = await liveChain(withoutLog, live());
    expect(await read(chain)).toMatchObject({ transfers: [{ txHash: kept }, { txHash: lost }], unread: [] });
    for (const each of providers) expect(each.count('eth_getTransactionReceipt')).toBeLessThanOrEqual(3);
  });

  test.each<[string, unknown]>([
    ['it too shows nothing', { ...receipts[1], logs: [] }],
    ['it shows another value', { ...receipts[1], logs: otherValue }],
    ['there is none', null],
  ])('the transaction stays in dispute where by its receipt %s, and the rest is read', async (_what, answer) => {
    const { chain } = await liveChain(answeringReceipt(answer), live());
    const reading = await read(chain);
    expect(reading).toMatchObject({ transfers: [{ txHash: kept }], unread: [{ ...unread, reason: 'disputed' }] });
    expect(reading.transfers).toHaveLength(1);
    expect(stage.log.said('chain providers do not agree on a block')).toMatchObject([{ height: 7 }]);
  }); // prettier-ignore

  test('a third one decides, whoever is asked first', async () => {
    for (const order of [[withoutLog, live(), live()], [live(), withoutLog, live()]]) {
      const { chain } = await liveChain(...order);
      expect(await read(chain)).toMatchObject({ transfers: [{ txHash: kept }, { txHash: lost }], unread: [] });
    }
  }); // prettier-ignore

  test('nothing is set aside while one that could decide is away', async () => {
    const { chain } = await liveChain(answeringReceipt(null), live(), live(status(503)));
    expect((await refusalOf(read(chain))).code).toBe('provider_unavailable');
  });

  test('nothing is set aside where the receipt is not to be had just now', async () => {
    const failing = except('eth_getTransactionReceipt', status(503), withoutLog);
    const { chain } = await liveChain(failing, live());
    expect((await refusalOf(read(chain))).code).toBe('provider_unavailable');
  });
});

describe('a provider that calls a transaction unreadable', () => {
  const [, second] = receipts;
  const mute = answeringReceipt({ ...second, logs: [null] }, live());

  test('does not make the other one’s word count for two', async () => {
    const { chain } = await liveChain(mute, live());
    const reading = await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [{ txHash: kept }], unread: [{ ...unread, reason: 'unreadable' }] });
    expect(reading.transfers).toHaveLength(1);
  });

  test('hides nothing from two others', async () => {
    const { chain } = await liveChain(mute, live(), live());
    expect(await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])).toMatchObject({
      transfers: [{ txHash: kept }, { txHash: lost }],
      unread: [],
    });
  });
});

test('a provider that makes up many transfers makes its block unread, by a bounded number of questions', async () => {
  const count = MOST_DISPUTED_TRANSACTIONS + 20;
  const made = new CrowdedNode({
    height: 7,
    contract: CONTRACT,
    transactions: Array.from({ length: count }, () => ({ transfers: [paid] })),
  });
  const { chain, providers } = await liveChain(live(made.behaviour), live());
  const { transfers, unread: holes } = await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT]);
  expect(transfers).toMatchObject([{ txHash: kept }, { txHash: lost }]);
  expect(holes).toHaveLength(MOST_DISPUTED_TRANSACTIONS + 1);
  expect(holes.at(-1)).toStrictEqual({ number: 7, hash: block.hash, reason: 'disputed', txHash: null });
  expect(providers[1]?.count('eth_getTransactionReceipt')).toBeLessThanOrEqual(2 * (MOST_DISPUTED_TRANSACTIONS + 2));
});

test('a provider that leaves a transaction out once makes no hole, in a block or in a range', async () => {
  let left = 0;
  const forgetful: Behaviour = (method, params, response) => {
    const isForgotten = left > 0 && method === 'eth_getTransactionReceipt' && params[0] === lost;
    if (isForgotten) left -= 1;
    return (isForgotten ? answeringReceipt(null) : method === 'eth_getLogs' && left > 0 ? withoutLog : live())(
      method,
      params,
      response,
    );
  };
  const { chain } = await liveChain(forgetful, live());
  await chain.check();
  const whole = { transfers: [{ txHash: kept }, { txHash: lost }], unread: [] };
  left = 1;
  expect(await chain.transfersInBlock(block.hash, CONTRACT, [MERCHANT])).toMatchObject(whole);
  left = 1;
  expect(await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT])).toMatchObject(whole);
  expect(left).toBe(0);
});
