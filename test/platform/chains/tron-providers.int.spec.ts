import { isRefusal, type ErrorCode } from '../../../src/vocabulary/errors';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { MAX_RESPONSE_BYTES } from '../../../src/platform/chains/http-post';
import { tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import { tronGridKey } from '../../../src/platform/chains/tron/tron-grid-key';
import {
  exceptTron,
  honestTron,
  ScriptedTronNode,
  tronBlock,
  tronBlockId,
  tronInfo,
  tronLog,
  type TronBehaviour,
  type TronInfo,
} from './scripted-tron-node';

const CONTRACT = TOKENS['usdt-tron'].contract.test;
const MERCHANT = tronTwin(`0x${'2'.repeat(40)}`);
const TX_ID = 'ab'.repeat(32);
const OTHER_ID = 'cd'.repeat(32);
const payment = { contract: CONTRACT, from: tronTwin(`0x${'1'.repeat(40)}`), to: MERCHANT, value: 5n };
const info = tronInfo(TX_ID, 7, [payment]);
const paid = honestTron(100, [info]);

const started: ScriptedTronNode[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map(node => node.stop()));
});

async function node(behaviour: TronBehaviour): Promise<ScriptedTronNode> {
  const one = await ScriptedTronNode.start(behaviour);
  started.push(one);
  return one;
}

function chainOf(nodes: readonly ScriptedTronNode[], timeoutMs = 2_000): TronChain {
  return new TronChain({ mode: 'test', urls: nodes.map(({ url }) => url), timeoutMs });
}

async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRefusal(error)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

const written =
  (statusCode: number, body: string, headers: Record<string, string> = {}): TronBehaviour =>
  (_what, _question, response) => {
    response.writeHead(statusCode, headers).end(body);
    return 'written';
  };

/** Answers the question for the first block, which tells the chain, and fails all others to the same path. */
const onceTrusted =
  (instead: TronBehaviour): TronBehaviour =>
  (what, question, response) =>
    (question as { id_or_num?: string }).id_or_num === '0' ? tronBlock(0) : instead(what, question, response);

describe('one provider', () => {
  const block = tronBlock(7);
  const rawData = block.block_header.raw_data;
  const header = (changed: object) => () => ({ ...block, block_header: { raw_data: { ...rawData, ...changed } } });
  const faults: [string, ErrorCode, TronBehaviour][] = [
    ['an error within a 200', 'provider_unavailable', () => ({ Error: 'class java.lang.IllegalArgumentException : num must be' })],
    ['too many requests within a 200', 'provider_unavailable', () => ({ Error: 'class java.lang.IllegalAccessException : lack of computing resources' })],
    ['a gateway’s error within a 200', 'provider_unavailable', () => ({ success: false, error: { code: 7 } })],
    ['a lite node’s bare text', 'provider_unavailable', written(200, 'this API is closed because this node is a lite fullnode')],
    ['a status 400', 'provider_unavailable', written(400, '{}')],
    ['a status 403', 'provider_unavailable', written(403, '{"Success":false,"Error":"The key exceeds the frequency limit"}')],
    ['a status 404', 'provider_unavailable', written(404, '')],
    ['a status 429', 'provider_unavailable', written(429, '')],
    ['a status 503', 'provider_unavailable', written(503, '<html>')],
    ['a redirect', 'provider_unavailable', written(302, '', { location: 'http://127.0.0.1:1/' })],
    ['a connection that breaks', 'provider_unavailable', (_what, _question, response) => {
      response.socket?.destroy();
      return 'written';
    }],
    ['text that is not JSON', 'provider_response_invalid', written(200, '<html>')],
    ['nothing at all', 'provider_response_invalid', written(200, '')],
    ['an answer without end', 'provider_response_invalid', written(200, 'x'.repeat(MAX_RESPONSE_BYTES + 1))],
    ['a list', 'provider_response_invalid', () => []],
    ['a block without an id', 'provider_response_invalid', () => ({ block_header: block.block_header })],
    ['an id that is too short', 'provider_response_invalid', () => ({ ...block, blockID: '07' })],
    ['an id with 0x', 'provider_response_invalid', () => ({ ...block, blockID: `0x${block.blockID}` })],
    ['an id of another number', 'provider_response_invalid', () => ({ ...block, blockID: tronBlockId(8) })],
    ['another block than asked for', 'provider_response_invalid', () => tronBlock(8)],
    ['a block without a parent', 'provider_response_invalid', header({ parentHash: undefined })],
    ['a time that is text', 'provider_response_invalid', header({ timestamp: '1700000000000' })],
    ['a time in microseconds', 'provider_response_invalid', header({ timestamp: 1_700_000_000_000_000 })],
    ['a number above 2^53', 'provider_response_invalid', header({ number: 2 ** 60 })],
  ]; // prettier-ignore

  test.each(faults)('%s is refused as %s, naming the path', async (_name, code, behaviour) => {
    const chain = chainOf([await node(exceptTron('/wallet/getblock', onceTrusted(behaviour)))]);
    const refusal = await refusalOf(chain.blockAt(7));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain('/wallet/getblock');
    expect(refusal.message).not.toContain('secret-key');
    expect(refusal.message.length).toBeLessThan(400);
  });

  test('silence is provider_unavailable after the time-out', async () => {
    const chain = chainOf([await node(() => 'written')], 50);
    expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
  });

  test.each(['/wallet/getblock', '/walletsolidity/getblock'])(
    'without a newest block at %s there is no guess',
    async path => {
      const chain = chainOf([
        await node(
          exceptTron(
            path,
            onceTrusted(() => ({})),
          ),
        ),
      ]);
      const call = path.startsWith('/walletsolidity') ? chain.finalizedHeight() : chain.head();
      expect((await refusalOf(call)).code).toBe('provider_response_invalid');
    },
  );

  test.each<[string, string, TronBehaviour]>([
    ['first block', '/wallet/getblock', () => ({ ...tronBlock(0), blockID: `${'0'.repeat(56)}2b6653dc` })],
    ['chain id', 'eth_chainId', () => ({ result: '0x2b6653dc' })],
  ])('the %s of another network is provider_network_mismatch, and no more is asked', async (_name, what, behaviour) => {
    const mainnet = await node(exceptTron(what, behaviour));
    const chain = chainOf([mainnet]);
    expect((await refusalOf(chain.check())).code).toBe('provider_network_mismatch');
    const { length } = mainnet.asked;
    expect((await refusalOf(chain.head())).code).toBe('provider_network_mismatch');
    expect(mainnet.asked).toHaveLength(length);
  });

  test('the mainnet is known by its own first block', async () => {
    const mainnet = await node(
      exceptTron(
        'eth_chainId',
        () => ({ result: '0x2b6653dc' }),
        exceptTron('/wallet/getblock', () => ({
          ...tronBlock(0),
          blockID: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
        })),
      ),
    );
    const chain = new TronChain({ mode: 'live', urls: [mainnet.url], timeoutMs: 2_000 });
    expect(await chain.finalizedHeight()).toBe(82);
    await expect(chainOf([mainnet]).finalizedHeight()).rejects.toMatchObject({ code: 'provider_network_mismatch' });
  });

  test.each<[string, string, TronBehaviour]>([
    ['other decimals', 'eth_call', () => ({ result: `0x${(18).toString(16).padStart(64, '0')}` })],
    ['no contract', 'eth_getCode', () => ({ result: '0x' })],
    ['an empty answer', 'eth_call', () => ({ result: '0x' })],
    ['a contract that reverts', 'eth_call', () => ({ error: { code: -32000, message: 'REVERT opcode executed' } })],
  ])('%s at the approved address is invalid_token_config', async (_name, method, behaviour) => {
    const present: TronBehaviour = (what, question, response) =>
      what === '/wallet/getblock' && !('id_or_num' in (question as object))
        ? tronBlock(100, [], 'a', Date.now())
        : exceptTron(method, behaviour)(what, question, response);
    const chain = chainOf([await node(present)]);
    expect(await refusalOf(chain.check())).toMatchObject({ code: 'invalid_token_config', param: 'usdt-tron' });
  });

  test('no contract yet, while it takes in old blocks, is no fault of the configuration: it is asked again later', async () => {
    let isSyncing = true;
    const syncing = exceptTron('eth_getCode', () => ({ result: '0x' }));
    const chain = chainOf([await node((...asked) => (isSyncing ? syncing : honestTron(200))(...asked))]);
    expect((await refusalOf(chain.check())).code).toBe('provider_unavailable');
    isSyncing = false;
    expect((await chain.head()).number).toBe(200);
  });
});

describe('answers that do not bear each other out', () => {
  const topics = tronLog(payment).topics;
  const unread = { number: 7, hash: tronBlockId(7), reason: 'unreadable', txHash: TX_ID };
  const withLog = (log: object) => [{ ...info, log: [{ ...tronLog(payment), ...log }] }];

  test.each<[string, unknown]>([
    ['nothing of a block with transactions', []],
    ['an object in place of them', {}],
    ['a part of its transactions', [info]],
    ['those of another block', [info, tronInfo('ef'.repeat(32), 7, [])]],
    ['them in another order', [tronInfo(OTHER_ID, 7, []), info]],
    ['them as of another height', [{ ...info, blockNumber: 8 }, tronInfo(OTHER_ID, 7, [])]],
  ])('%s is provider_response_invalid', async (_name, infos) => {
    const block: TronBehaviour = () => tronBlock(7, [TX_ID, OTHER_ID]);
    const behaviour = exceptTron('/wallet/getblock', onceTrusted(block));
    const chain = chainOf([await node(exceptTron('/wallet/gettransactioninfobyblocknum', () => infos, behaviour))]);
    const refusal = await refusalOf(chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT]));
    expect(refusal.code).toBe('provider_response_invalid');
    expect(refusal.message).toContain('gettransactioninfobyblocknum');
  });

  test.each<[string, unknown]>([
    ['a value that is no word', withLog({ data: '05' })],
    ['a payer that is no address', withLog({ topics: [topics[0], 'f'.repeat(64), topics[2]] })],
    ['a contradiction about success', [{ ...info, result: 'FAILED' }]],
    ['logs that are no list', [{ ...info, log: 'none' }]],
  ])('of %s the transaction is asked for alone, and is unread where that is no better', async (_name, infos) => {
    const badBlock = exceptTron('/wallet/gettransactioninfobyblocknum', () => infos, paid);
    const badInfo = exceptTron('/wallet/gettransactioninfobyid', () => (infos as unknown[])[0], badBlock);
    const read = async (behaviour: TronBehaviour) =>
      chainOf([await node(behaviour)]).transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT]);
    expect(await read(badBlock)).toMatchObject({ transfers: [{ txHash: TX_ID, ordinal: 0 }], unread: [] });
    expect(await read(badInfo)).toStrictEqual({ transfers: [], unread: [unread] });
  });

  test('an honest answer to the same questions is a transfer', async () => {
    const chain = chainOf([await node(paid)]);
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers).toMatchObject([
      { txHash: TX_ID, ordinal: 0 },
    ]);
  });

  test('a log that its block has not got, or that the receipts leave out, is found in a range', async () => {
    const withoutLog = exceptTron('/wallet/gettransactioninfobyblocknum', () => [tronInfo(TX_ID, 7, [])], paid);
    expect(await chainOf([await node(withoutLog)]).transfersInRange(1, 20, CONTRACT, [MERCHANT])).toStrictEqual({
      endHash: tronBlockId(20),
      transfers: [],
      unread: [unread],
    });
  });

  test('a receipt of another transaction is provider_response_invalid', async () => {
    const chain = chainOf([await node(exceptTron('/wallet/gettransactioninfobyid', () => info, paid))]);
    expect((await refusalOf(chain.receipt(OTHER_ID))).code).toBe('provider_response_invalid');
  });

  test('a node that finds too much even in one block is asked for its transactions, block by block', async () => {
    const refusing = await node(
      exceptTron(
        'eth_getLogs',
        () => ({ error: { code: -32005, message: 'query returned more than 10000 results' } }),
        paid,
      ),
    );
    expect(await chainOf([refusing]).transfersInRange(1, 20, CONTRACT, [MERCHANT])).toMatchObject({
      transfers: [{ txHash: TX_ID, ordinal: 0 }],
      unread: [],
    });
  });

  test('a node that does not search at all is given up', async () => {
    const error = { code: -32601, message: 'the method eth_getLogs does not exist/is not available' };
    const refusing = await node(exceptTron('eth_getLogs', () => ({ error }), paid));
    const refusal = await refusalOf(chainOf([refusing]).transfersInRange(1, 20, CONTRACT, [MERCHANT]));
    expect(refusal.code).toBe('provider_unavailable');
    expect(refusing.questions('eth_getLogs')).toHaveLength(1);
  });
});

describe('several providers', () => {
  test('the next one answers for one that fails', async () => {
    const chain = chainOf([await node(written(503, '')), await node(paid)]);
    expect((await chain.head()).number).toBe(100);
    expect(await chain.receipt(TX_ID)).toMatchObject({ succeeded: true, blockNumber: 7 });
  });

  test('the next one answers for one without the solid view, the log search or history', async () => {
    const closed = written(200, 'this API is closed because this node is a lite fullnode');
    for (const what of ['/walletsolidity/getblock', 'eth_getLogs', '/wallet/gettransactioninfobyblocknum']) {
      const chain = chainOf([await node(exceptTron(what, closed, paid)), await node(paid)]);
      expect((await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT])).transfers).toMatchObject([
        { txHash: TX_ID, ordinal: 0 },
      ]);
    }
  });

  test('the next one answers for one whose head is stale', async () => {
    const chain = chainOf([await node(honestTron(24, [])), await node(paid)]);
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers).toEqual([]);
    await expect(chain.transfersInRange(1, 7, CONTRACT, [MERCHANT])).resolves.toMatchObject({
      transfers: [{ txHash: TX_ID }],
    });
  });
});

describe('two providers in live mode', () => {
  const CONTRACT_LIVE = TOKENS['usdt-tron'].contract.live;
  const livePayment = { ...payment, contract: CONTRACT_LIVE };
  const liveInfo = tronInfo(TX_ID, 7, [livePayment]);
  const mainnet = (infos: readonly TronInfo[] = [liveInfo], fork = 'a') =>
    exceptTron(
      'eth_chainId',
      () => ({ result: '0x2b6653dc' }),
      exceptTron('/wallet/getblock', (what, question, response) => {
        const isFirst = (question as { id_or_num?: string }).id_or_num === '0';
        const first = { ...tronBlock(0), blockID: `${'0'.repeat(56)}2b6653dc` };
        return isFirst ? first : honestTron(100, infos, fork)(what, question, response);
      }, honestTron(100, infos, fork)),
    ); // prettier-ignore
  const liveChain = (nodes: readonly ScriptedTronNode[]) =>
    new TronChain({ mode: 'live', urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });

  test('say together what counts', async () => {
    const nodes = [await node(mainnet()), await node(mainnet())];
    const chain = liveChain(nodes);
    const { transfers } = await chain.transfersInBlock(tronBlockId(7), CONTRACT_LIVE, [MERCHANT]);
    expect(transfers).toMatchObject([{ txHash: TX_ID, contract: CONTRACT_LIVE }]);
    expect(await chain.agreedHash(7)).toBe(tronBlockId(7));
    expect(await chain.receipt(TX_ID)).toMatchObject({ succeeded: true, transfers });
    for (const each of nodes) expect(each.questions('/wallet/gettransactioninfobyid')).toHaveLength(1);
    await chain.secondReceipt(TX_ID);
    expect(nodes.map(each => each.questions('/wallet/gettransactioninfobyid').length)).toEqual([1, 2]);
  });

  test('on two forks agree on no hash', async () => {
    const chain = liveChain([await node(mainnet()), await node(mainnet([liveInfo], 'b'))]);
    expect(await chain.agreedHash(7)).toBeNull();
  });

  test('of which one makes a transfer up, or hides one, give no receipt', async () => {
    const more = tronInfo(TX_ID, 7, [{ ...livePayment, value: 6n }]);
    const chain = liveChain([await node(mainnet()), await node(mainnet([more]))]);
    expect((await refusalOf(chain.receipt(TX_ID))).code).toBe('provider_response_invalid');
    const hiding = liveChain([await node(mainnet([])), await node(mainnet())]);
    expect((await refusalOf(hiding.receipt(TX_ID))).code).toBe('provider_response_invalid');
  });
});

describe('a key', () => {
  test('goes with every question to both interfaces, and into no refusal', async () => {
    const answering = await node(exceptTron('/walletsolidity/getblock', written(403, '')));
    const headersFor = () => ({ 'TRON-PRO-API-KEY': 'e7c3-key' });
    const chain = new TronChain({ mode: 'test', urls: [answering.url], headersFor, timeoutMs: 2_000 });
    await chain.check();
    const refusal = await refusalOf(chain.finalizedHeight());
    expect(new Set(answering.asked.map(({ what }) => what))).toEqual(
      new Set(['/wallet/getblock', 'eth_chainId', 'eth_getCode', 'eth_call', '/walletsolidity/getblock']),
    );
    expect(answering.asked.every(({ headers }) => headers['tron-pro-api-key'] === 'e7c3-key')).toBe(true);
    expect(refusal.message + String(refusal.cause)).not.toContain('e7c3-key');
  });

  test.each([
    ['https://api.trongrid.io', true],
    ['https://nile.trongrid.io/path', true],
    ['https://trongrid.io', true],
    ['http://api.trongrid.io', false],
    ['https://nottrongrid.io', false],
    ['https://trongrid.io.example', false],
    ['https://node.example/trongrid.io', false],
  ])('of TronGrid goes to %s: %s', (url, isSent) => {
    expect(tronGridKey('e7c3')(url)).toEqual(isSent ? { 'TRON-PRO-API-KEY': 'e7c3' } : {});
    expect(tronGridKey(null)(url)).toEqual({});
  });
});
