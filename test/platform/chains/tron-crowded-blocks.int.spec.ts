import { TOKENS } from '../../../src/vocabulary/tokens';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import {
  exceptTron,
  honestTron,
  ScriptedTronNode,
  tronBlockId,
  tronInfo,
  type TronBehaviour,
} from './scripted-tron-node';

const CONTRACT = TOKENS['usdt-tron'].contract.test;
const MERCHANT = 'TD5gsCwxykWsLN9aPrq2TAfNjByuZKYp4E';
const PAYER = 'TBXSw8fM4jpQkGc6zZjsVABFpVN7UvXPdV';
const JUNK_ID = 'ee'.repeat(32);
const DUST_ID = 'dd'.repeat(32);
const LIMIT_MS = 60_000;
const started: ScriptedTronNode[] = [];

afterEach(() => Promise.all(started.splice(0).map(node => node.stop())));

async function chainOf(behaviour: TronBehaviour) {
  const node = await ScriptedTronNode.start(behaviour);
  started.push(node);
  return { node, chain: new TronChain({ mode: 'test', urls: [node.url], timeoutMs: 20_000 }) };
}

/** Logs of a contract that is nobody's, in a transaction before one of a single unit. */
function crowded(logs: number): TronBehaviour {
  const junk = { ...tronInfo(JUNK_ID, 7, []), log: Array.from({ length: logs }, () => ({ address: '66'.repeat(20) })) };
  const dust = tronInfo(DUST_ID, 7, [{ contract: CONTRACT, from: PAYER, to: MERCHANT, value: 1n }]);
  return honestTron(100, [junk, dust]);
}

describe('a block with one transaction of 60,000 logs beside one unit of dust', () => {
  const found = { txHash: DUST_ID, ordinal: 0, to: MERCHANT, valueBaseUnits: 1n, blockHash: tronBlockId(7) };

  test('is read by its hash', async () => {
    const { chain } = await chainOf(crowded(60_000));
    const reading = await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [found], unread: [] });
  }, LIMIT_MS); // prettier-ignore

  test('is read in a range', async () => {
    const { chain } = await chainOf(crowded(60_000));
    const reading = await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [found], unread: [] });
  }, LIMIT_MS); // prettier-ignore

  test('is read one transaction after the other where the node does not tell of all at once', async () => {
    const tooMuch: TronBehaviour = (_what, _question, response) => {
      response.statusCode = 504;
      response.end();
      return 'written';
    };
    const { chain, node } = await chainOf(
      exceptTron('/wallet/gettransactioninfobyblocknum', tooMuch, crowded(60_000)),
    );
    const reading = await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [found], unread: [] });
    expect(node.questions('/wallet/gettransactioninfobyid')).toHaveLength(2);
  }, LIMIT_MS); // prettier-ignore

  test('holds a receipt that is read as any other', async () => {
    const { chain } = await chainOf(crowded(60_000));
    expect(await chain.receipt(JUNK_ID)).toMatchObject({ succeeded: true, blockNumber: 7, transfers: [] });
  }, LIMIT_MS); // prettier-ignore
});

test('as many transfers of nothing as a cap would leave make their block be read whole', async () => {
  const zeros = Array.from({ length: 1_000 }, () => ({ contract: CONTRACT, from: PAYER, to: MERCHANT, value: 0n }));
  const paid = { contract: CONTRACT, from: PAYER, to: MERCHANT, value: 5n };
  const infos = [tronInfo(JUNK_ID, 7, zeros), tronInfo(DUST_ID, 7, [paid])];
  const whole = honestTron(100, infos);
  const capped: TronBehaviour = (what, question, response) => {
    const { result } = whole(what, question, response) as { result: unknown[] };
    return { result: result.slice(0, 1_000) };
  };
  const { chain } = await chainOf(exceptTron('eth_getLogs', capped, whole));
  const reading = await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]);
  expect(reading).toMatchObject({ transfers: [{ txHash: DUST_ID, valueBaseUnits: 5n }], unread: [] });
});

describe('where the answer for the logs of one block', () => {
  const paid = tronInfo(DUST_ID, 7, [{ contract: CONTRACT, from: PAYER, to: MERCHANT, value: 5n }]);
  const whole = honestTron(100, [paid]);
  const holdsBlock = ([{ fromBlock, toBlock }]: [{ fromBlock: string; toBlock: string }]) =>
    Number(fromBlock) <= 7 && Number(toBlock) >= 7;
  const failing = (code: number) =>
    exceptTron('eth_getLogs', (what, question, response) => {
      if (!holdsBlock(question)) return whole(what, question, response);
      response.statusCode = code;
      response.end();
      return 'written';
    }, whole); // prettier-ignore

  test.each([413, 504])('comes with status %s, it is read whole', async code => {
    const { chain } = await chainOf(failing(code));
    const reading = await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]);
    expect(reading).toMatchObject({ transfers: [{ txHash: DUST_ID, valueBaseUnits: 5n }], unread: [] });
  });
});

test('a node that gives no logs at all is read block by block after some tries', async () => {
  const paid = tronInfo(DUST_ID, 7, [{ contract: CONTRACT, from: PAYER, to: MERCHANT, value: 5n }]);
  const noLogs: TronBehaviour = () => ({ error: { code: -32_601, message: 'the method does not exist' } });
  const { chain, node } = await chainOf(exceptTron('eth_getLogs', noLogs, honestTron(100, [paid])));
  const read = () => chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]).catch(() => null);
  let reading = await read();
  for (let tries = 1; reading === null && tries < 10; tries++) reading = await read();
  expect(reading).toMatchObject({ transfers: [{ txHash: DUST_ID }], unread: [] });
  expect(node.questions('eth_getLogs').length).toBeLessThanOrEqual(8);
});
