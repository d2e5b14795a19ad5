import { TronFacade } from '../../src/sandbox/tron-facade';
import { noFaults } from '../../src/sandbox/tron/tron-faults';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { silentLog } from './local-chain';
import { MERCHANT, startTronStage, USDT, type Json, type TronStage } from './tron-stage';

let stage: TronStage;
beforeAll(async () => (stage = await startTronStage()));
afterEach(() => void Object.assign(stage.faults, noFaults()));
afterAll(() => stage.stop());

const head = async (): Promise<Json> => stage.post('/wallet/getnowblock');
const numberOf = (block: Json) =>
  (block as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number;

describe('a provider may', () => {
  test('answer by java-tron’s error within a 200', async () => {
    stage.faults.answer = () => ({ error: 'class java.lang.Exception : lack of computing resources' });
    const answer = await stage.ask('/wallet/getnowblock');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { Error: 'class java.lang.Exception : lack of computing resources' },
    ]);
  });

  test('be a lite node, for some paths, whose answer is no JSON', async () => {
    stage.faults.answer = path => (path.endsWith('byid') ? 'lite_node' : null);
    const answer = await stage.ask('/wallet/gettransactioninfobyid?value=00');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('lite fullnode')]);
    expect(await head()).toHaveProperty('blockID');
  });

  test.each([403, 429, 503])('refuse by status %i', async status => {
    stage.faults.answer = () => ({ status });
    expect((await stage.ask('/wallet/getnowblock')).status).toBe(status);
    expect((await stage.ask('/jsonrpc', { method: 'POST' })).status).toBe(status);
  });

  test('give no answer', async () => {
    stage.faults.answer = () => 'hang';
    await expect(stage.ask('/wallet/getnowblock', { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout');
  });

  test('serve another network', async () => {
    stage.faults.wrongGenesis = true;
    expect((await stage.post('/wallet/getblockbynum', { num: 0 }))['blockID']).toMatch(/94a9059e$/);
    expect(await stage.rpc('eth_chainId')).toMatchObject({ result: '0x94a9059e' });
  });

  test('be behind, in everything that it says', async () => {
    const number = numberOf(await head());
    const solid = numberOf(await stage.post('/walletsolidity/getnowblock'));
    stage.faults.staleBlocks = 5;
    expect(numberOf(await head())).toBe(number - 5);
    expect(numberOf(await stage.post('/walletsolidity/getnowblock'))).toBe(solid - 5);
    expect(await stage.post('/wallet/getblockbynum', { num: number })).toEqual({});
    expect(await stage.rpc('eth_blockNumber')).toMatchObject({ result: `0x${(number - 5).toString(16)}` });
    expect(await stage.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, false)).toMatchObject({ result: null });
  });

  test('miss a log', async () => {
    const id = await stage.customer.pay(USDT, MERCHANT, '9');
    await stage.sandbox.mine(1);
    const whole = await stage.post('/wallet/gettransactioninfobyid', { value: id });
    stage.faults.hiddenLogsOf = new Set([id]);
    const { log: _, ...missing } = whole;
    expect(await stage.post('/wallet/gettransactioninfobyid', { value: id })).toEqual(missing);
    expect(await stage.rpc('eth_getTransactionReceipt', id)).toMatchObject({ result: { status: '0x1', logs: [] } });
    expect(await stage.rpc('eth_getLogs', { fromBlock: 'latest', toBlock: 'latest' })).toMatchObject({ result: [] });
  });

  test('be on a branch of its own from some height on, which hangs together', async () => {
    const number = numberOf(await head());
    stage.faults.forkFrom = number - 1;
    const forked = await head();
    const honest = await stage.tronWeb.trx.getCurrentBlock();
    expect(forked['blockID']).not.toBe(honest.blockID);
    const parent = await stage.post('/wallet/getblockbynum', { num: number - 1 });
    expect(forked).toMatchObject({ block_header: { raw_data: { parentHash: parent['blockID'] } } });
    expect(await stage.post('/wallet/getblockbynum', { num: number - 2 })).toMatchObject({
      blockID: (await stage.tronWeb.trx.getBlock(number - 2)).blockID,
    });
    expect(await stage.post('/wallet/getblockbyid', { value: forked['blockID'] })).toEqual(forked);
    expect(await stage.post('/wallet/getblockbyid', { value: honest.blockID })).toEqual({});
    expect(await stage.rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      result: { hash: `0x${String(forked['blockID'])}`, parentHash: `0x${String(parent['blockID'])}` },
    });
  });
});

describe('a request that cannot be served', () => {
  test.each([
    ['/nothing', 'GET', 404],
    ['/wallet/nothing', 'POST', 404],
    ['/walletsolidity/broadcasttransaction', 'POST', 404],
    ['/wallet/getnowblock', 'DELETE', 405],
  ])('%s by %s is answered by %i', async (path, method, status) => {
    expect((await stage.ask(path, { method })).status).toBe(status);
  });

  test('of more than a megabyte is not read', async () => {
    const body = JSON.stringify({ transaction: 'ab'.repeat(600_000) });
    expect((await stage.ask('/wallet/broadcasthex', { method: 'POST', body })).status).toBe(413);
  });

  test.each([
    ['getblockbynum', '{"num":"ten"}', 'num'],
    ['getblockbynum', '{}', 'num'],
    ['getblockbynum', '{', 'JSON'],
    ['getblock', '{"id_or_num":"head"}', 'id_or_num'],
    ['gettransactioninfobyid', '{"value":5}', 'value'],
    ['triggersmartcontract', '{"owner_address":"T"}', 'owner_address'],
    ['triggersmartcontract', `{"owner_address":"${MERCHANT}","contract_address":"${USDT}"}`, 'function_selector'],
    ['triggersmartcontract', `{"owner_address":"${MERCHANT}","contract_address":"${USDT}","data":"00"}`, 'fee_limit'],
    ['broadcasttransaction', '{"txID":"00","raw_data_hex":"0"}', 'raw_data_hex'],
  ])('%s %s is answered by an error that names %s', async (operation, body, named) => {
    const answer = await stage.ask(`/wallet/${operation}`, { method: 'POST', body });
    expect(await answer.json()).toEqual({ Error: expect.stringContaining(named) as string });
  });

  test('ranges beyond a hundred blocks are empty, as those that end before they begin', async () => {
    for (const [startNum, endNum] of [
      [0, 101],
      [5, 5],
      [5, 4],
      [-1, 4],
      [90_000, 90_001],
    ] as const)
      // prettier-ignore
      expect(await stage.post('/wallet/getblockbylimitnext', { startNum, endNum })).toEqual({});
  });
});

test('base58 is shown to whoever asks for it', async () => {
  const id = await stage.customer.pay(USDT, MERCHANT, '9');
  await stage.sandbox.mine(1);
  const answer = await stage.ask(`/wallet/gettransactioninfobyid?visible=true&value=${id}`);
  expect(await answer.json()).toMatchObject({ contract_address: USDT, log: [{ address: USDT }] });
});

test('without its chain a facade says so, and does not end', async () => {
  const facade = await TronFacade.start({ rpcUrl: 'http://127.0.0.1:9', clock: new SystemClock(), log: silentLog });
  const answer = await fetch(`${facade.url}/wallet/getnowblock`);
  expect(await answer.json()).toMatchObject({ Error: expect.stringContaining('provider_unavailable') as string });
  const { port } = new URL(facade.url);
  await expect(
    TronFacade.start({ rpcUrl: '', clock: new SystemClock(), log: silentLog, port: Number(port) }),
  ).rejects.toThrow('EADDRINUSE');
  await facade.close();
});
