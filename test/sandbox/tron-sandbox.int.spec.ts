import { MaxUint256 } from 'ethers';
import { readdirSync } from 'node:fs';
import { evmTwin } from '../../src/platform/chains/tron/tron-address';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { startSandbox, temporaryFolder } from './local-chain';
import { MERCHANT, startTronStage, USDT, type Json, type TronStage } from './tron-stage';

const LOOKALIKE = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';
const TOKEN = { tokenId: 'usdt-tron', to: MERCHANT } as const;

describe('a TRON chain of a data folder', () => {
  test('is found again by the next start, and ended with the others', async () => {
    const { folder, remove } = temporaryFolder();
    const first = await startSandbox(folder, { network: 'tron' });
    const second = await startSandbox(folder, { network: 'tron' });
    expect([first.chainId, first.fresh, second.fresh]).toEqual([0xcd8690dc, true, false]);
    expect([second.pid, second.genesisHash]).toEqual([first.pid, first.genesisHash]);
    expect(await SandboxChain.stopFolder(folder)).toEqual(['tron']);
    expect(readdirSync(folder)).toEqual([]);
    remove();
  });
});

describe('its accounts send', () => {
  let stage: TronStage;
  beforeAll(async () => (stage = await startTronStage()));
  afterAll(() => stage.stop());

  const info = async (id: string): Promise<Json> => stage.post('/wallet/gettransactioninfobyid', { value: id });
  const evmDigits = (address: string) => evmTwin(address)?.slice(2) ?? '';

  test('from addresses of TRON, tokens under ids of TRON', async () => {
    const payer = stage.sandbox.accounts[3]?.address ?? '';
    const id = await stage.sandbox.sendToken({ ...TOKEN, baseUnits: 1_234n, fromIndex: 3 });
    await stage.sandbox.mine(1);
    const log = { address: evmDigits(USDT), data: (1_234).toString(16).padStart(64, '0') };
    expect(await info(id)).toMatchObject({ id, receipt: { result: 'SUCCESS' }, log: [log] });
    expect(await stage.tronWeb.trx.getTransaction(id)).toMatchObject({
      txID: id,
      raw_data: {
        contract: [{ parameter: { value: { owner_address: stage.tronWeb.address.toHex(payer).toLowerCase() } } }],
      },
    });
  });

  test('all that is sent at once, in its order, the same transfer twice too', async () => {
    const sends = [1n, 1n, 2n].map(baseUnits => stage.sandbox.sendToken({ ...TOKEN, baseUnits }));
    const ids = await Promise.all(sends);
    await stage.sandbox.mine(1);
    const { transactions } = await stage.tronWeb.trx.getCurrentBlock();
    expect(transactions?.map(({ txID }) => txID)).toEqual(ids);
  });

  test('several transfers in one transaction', async () => {
    const transfers = [5n, 6n].map(baseUnits => ({ to: MERCHANT, baseUnits }));
    const id = await stage.sandbox.sendTokens({ tokenId: 'usdt-tron', transfers });
    await stage.sandbox.mine(1);
    const { log } = (await info(id)) as unknown as { log: { data: string }[] };
    expect(log.map(({ data }) => BigInt(`0x${data}`))).toEqual([5n, 6n]);
  });

  test('a hundred transfers, which fit', async () => {
    const transfers = Array.from({ length: 100 }, (_, index) => ({ to: MERCHANT, baseUnits: BigInt(index + 1) }));
    const id = await stage.sandbox.sendTokens({ tokenId: 'usdt-tron', transfers });
    await stage.sandbox.mine(1);
    expect((await info(id))['log']).toHaveLength(100);
  });

  test('what fails, and another token of the same name', async () => {
    const reverted = await stage.sandbox.sendToken({ ...TOKEN, baseUnits: MaxUint256 });
    const lookalike = await stage.sandbox.sendLookalike({ ...TOKEN, baseUnits: 9n });
    await stage.sandbox.mine(1);
    expect(await info(reverted)).toMatchObject({ result: 'FAILED', receipt: { result: 'REVERT' } });
    expect(await info(lookalike)).toMatchObject({ log: [{ address: evmDigits(LOOKALIKE) }] });
  });

  test('what they sent is known by its bytes, what nobody sent is not', async () => {
    const id = await stage.sandbox.sendToken({ ...TOKEN, baseUnits: 1n });
    await stage.sandbox.mine(1);
    const rawTransaction = await stage.sandbox.rawTransaction(id);
    const { signature, raw_data_hex: rawDataHex } = (await stage.tronWeb.trx.getTransaction(id)) as unknown as {
      signature: string[];
      raw_data_hex: string;
    };
    expect(rawTransaction).toContain(rawDataHex);
    expect(rawTransaction).toContain(signature[0]);
    expect(await stage.sandbox.rawTransaction('5'.repeat(64))).toBeNull();
  });

  test('neither to addresses of other networks nor tokens of them', async () => {
    const { sandbox } = stage;
    const order = { ...TOKEN, baseUnits: 1n };
    await expect(sandbox.sendToken({ ...order, to: evmTwin(MERCHANT) ?? '' })).rejects.toMatchObject({
      code: 'invalid_address',
    });
    await expect(sandbox.sendToken({ ...order, tokenId: 'usdt-bnb' })).rejects.toMatchObject({ code: 'unknown_token' });
  });
});
