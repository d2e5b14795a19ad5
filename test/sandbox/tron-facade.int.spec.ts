import { Trx, utils, type Types } from 'tronweb';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { silentLog } from './local-chain';
import { MERCHANT, startTronStage, USDT, type Json, type TronStage } from './tron-stage';

type SignedTransaction = Types.SignedTransaction;

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const UNKNOWN = '5'.repeat(64);

let stage: TronStage;
beforeAll(async () => (stage = await startTronStage()));
afterAll(() => stage.stop());

const paid = async (baseUnits = '1500000'): Promise<string> => {
  const id = await stage.customer.pay(USDT, MERCHANT, baseUnits);
  await stage.sandbox.mine(1);
  return id;
};
const word = (address: string) => stage.tronWeb.address.toHex(address).slice(2).toLowerCase().padStart(64, '0');

describe('tronweb reads', () => {
  test('blocks, each naming the one before it', async () => {
    const { trx } = stage.tronWeb;
    const head = await trx.getCurrentBlock();
    const { number, timestamp, parentHash } = head.block_header.raw_data;
    expect(await trx.getBlock(number)).toEqual(head);
    expect(await trx.getBlock(head.blockID)).toEqual(head);
    expect((await trx.getBlock(number - 1)).blockID).toBe(parentHash);
    expect(Number.parseInt(head.blockID.slice(0, 16), 16)).toBe(number);
    expect(Math.abs(timestamp - Date.now())).toBeLessThan(600_000);
    expect((await trx.getBlockRange(number - 2, number)).at(-1)).toEqual(head);
    await expect(trx.getBlock(number + 1)).rejects.toThrow('Block not found');
  });

  test('the first block, whose id ends in the chain id', async () => {
    const [genesis, second] = await stage.tronWeb.trx.getBlockRange(0, 1);
    expect(genesis?.blockID).toMatch(/^0{16}.{40}cd8690dc$/);
    expect(second?.block_header.raw_data.parentHash).toBe(genesis?.blockID);
  });

  test('a contract and its balances', async () => {
    const contract = await stage.tronWeb.contract().at(USDT);
    const balance = async () => (await contract.methods['balanceOf']?.(MERCHANT).call()) as bigint;
    const before = await balance();
    await paid('25');
    expect((await balance()) - before).toBe(25n);
    expect(await contract.methods['decimals']?.().call()).toBe(6n);
    await expect(contract.methods['transfer']?.(MERCHANT, 1).call()).rejects.toThrow('must use send');
  });

  test('a call that fails as such', async () => {
    const parameters = [
      { type: 'address', value: MERCHANT },
      { type: 'uint256', value: '1' },
    ];
    const options = [USDT, 'transfer(address,uint256)', {}, parameters, MERCHANT] as const;
    await expect(stage.tronWeb.transactionBuilder.triggerConstantContract(...options)).resolves.toBeDefined();
    const poor = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
    await expect(
      stage.tronWeb.transactionBuilder.triggerConstantContract(
        ...(options.slice(0, 4) as [string, string, object, typeof parameters]),
        poor,
      ),
    ).rejects.toThrow('REVERT');
    await expect(
      stage.tronWeb.transactionBuilder.triggerConstantContract(MERCHANT, 'decimals()', {}, [], poor),
    ).rejects.toThrow('Smart contract is not exist');
  });

  test('nothing of what is not there', async () => {
    const { trx } = stage.tronWeb;
    expect(await trx.getUnconfirmedTransactionInfo(UNKNOWN)).toEqual({});
    await expect(trx.getTransaction(UNKNOWN)).rejects.toThrow('Transaction not found');
    const { number } = (await trx.getCurrentBlock()).block_header.raw_data;
    await stage.sandbox.mine(1);
    expect(await stage.post('/wallet/gettransactioninfobyblocknum', { num: number + 1 })).toEqual([]);
    expect(await stage.post('/wallet/gettransactioninfobyblocknum', { num: 0 })).toEqual({});
    expect(await stage.post('/wallet/getblock', { id_or_num: UNKNOWN, detail: true })).toEqual({});
  });
});

describe('tronweb sends', () => {
  test('a transfer, which lands with its log and under the id that was signed', async () => {
    const { tronWeb, customer } = stage;
    const contract = await tronWeb.contract().at(USDT);
    const id = (await contract.methods['transfer']?.(MERCHANT, '1500000').send()) as string;
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(id)).toEqual({});
    await stage.sandbox.mine(1);
    const head = await tronWeb.trx.getCurrentBlock();
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(id);
    expect(info).toMatchObject({
      id,
      blockNumber: head.block_header.raw_data.number,
      blockTimeStamp: head.block_header.raw_data.timestamp,
      contract_address: tronWeb.address.toHex(USDT).toLowerCase(),
      receipt: { result: 'SUCCESS' },
    });
    expect(info).not.toHaveProperty('result');
    expect(info.log).toEqual([
      {
        address: word(USDT).slice(24),
        topics: [TRANSFER, word(customer.address), word(MERCHANT)],
        data: 1_500_000n.toString(16).padStart(64, '0'),
      },
    ]);
    expect(await stage.post('/wallet/gettransactioninfobyblocknum', { num: info.blockNumber })).toEqual([info]);
  });

  test('what the chain shows is what was signed: tronweb finds id, bytes and signer in order', async () => {
    const id = await paid();
    const transaction = await stage.tronWeb.trx.getTransaction(id);
    expect(transaction.txID).toBe(id);
    expect(utils.transaction.txCheck(transaction)).toBe(true);
    expect(Trx.ecRecover(transaction as SignedTransaction)).toBe(stage.customer.address);
    const head = await stage.tronWeb.trx.getCurrentBlock();
    expect(head).toMatchObject({ transactions: [transaction] });
  });

  test('a transaction as hex, and one that it built by itself with a note', async () => {
    const { tronWeb } = stage;
    const parameters = [
      { type: 'address', value: MERCHANT },
      { type: 'uint256', value: '7' },
    ];
    const options = { feeLimit: 50_000_000, txLocal: true };
    const built = await tronWeb.transactionBuilder.triggerSmartContract(
      USDT,
      'transfer(address,uint256)',
      options,
      parameters,
    );
    const noted = await tronWeb.transactionBuilder.addUpdateData(built.transaction, 'order 7', 'utf8', {
      txLocal: true,
    });
    const signed = await tronWeb.trx.sign(noted);
    const bytes = utils.transaction.txJsonToPb(signed) as {
      addSignature(value: Uint8Array): void;
      serializeBinary(): Uint8Array;
    };
    bytes.addSignature(Buffer.from(signed.signature[0] ?? '', 'hex'));
    const sent = (await tronWeb.trx.sendHexTransaction(
      Buffer.from(bytes.serializeBinary()).toString('hex'),
    )) as unknown as Json;
    expect(sent).toMatchObject({ result: true, txid: signed.txID });
    await stage.sandbox.mine(1);
    expect(await tronWeb.trx.getTransaction(signed.txID)).toMatchObject({
      raw_data: { data: Buffer.from('order 7').toString('hex') },
    });
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(signed.txID)).toMatchObject({
      receipt: { result: 'SUCCESS' },
    });
  });

  test('more than the sender has: it is taken into a block and fails there', async () => {
    const id = await paid((10n ** 30n).toString());
    const info = await stage.tronWeb.trx.getUnconfirmedTransactionInfo(id);
    expect(info).toMatchObject({ id, result: 'FAILED', receipt: { result: 'REVERT' } });
    expect(info).not.toHaveProperty('log');
    expect(await stage.tronWeb.trx.getTransaction(id)).toMatchObject({ ret: [{ contractRet: 'REVERT' }] });
  });
});

test('the solid view shows a block when 18 others stand on it', async () => {
  const { trx } = stage.tronWeb;
  const id = await paid();
  const { blockNumber } = await trx.getUnconfirmedTransactionInfo(id);
  await stage.sandbox.mine(17);
  expect(await trx.getTransactionInfo(id)).toEqual({});
  expect(await stage.post('/walletsolidity/getblockbynum', { num: blockNumber })).toEqual({});
  await expect(trx.getConfirmedTransaction(id)).rejects.toThrow('Transaction not found');
  await stage.sandbox.mine(1);
  expect(await trx.getTransactionInfo(id)).toEqual(await trx.getUnconfirmedTransactionInfo(id));
  expect((await trx.getConfirmedCurrentBlock()).block_header.raw_data.number).toBe(blockNumber);
  expect(await trx.getConfirmedTransaction(id)).toMatchObject({ txID: id });
});

describe('a reorganisation', () => {
  test('drops a transaction, which may be sent once more', async () => {
    const { trx } = stage.tronWeb;
    const id = await paid();
    const signed = await trx.getTransaction(id);
    const { blockID } = await trx.getCurrentBlock();
    await stage.sandbox.reorg(2);
    expect(await trx.getUnconfirmedTransactionInfo(id)).toEqual({});
    await expect(trx.getBlock(blockID)).rejects.toThrow('Block not found');
    expect(await trx.sendRawTransaction(signed as SignedTransaction)).toMatchObject({ result: true });
    await stage.sandbox.mine(1);
    expect(await trx.getUnconfirmedTransactionInfo(id)).toMatchObject({ id, receipt: { result: 'SUCCESS' } });
  });

  test('puts a transaction into another block under the same id', async () => {
    const { trx } = stage.tronWeb;
    const id = await paid();
    await stage.sandbox.mine(2);
    const before = await trx.getUnconfirmedTransactionInfo(id);
    const rawTransaction = await stage.sandbox.rawTransaction(id);
    if (rawTransaction === null) throw new Error('the transaction is unknown');
    await stage.sandbox.reorg(4, [{ rawTransaction, offset: 2 }]);
    const after = await trx.getUnconfirmedTransactionInfo(id);
    expect(after).toMatchObject({ id, blockNumber: before.blockNumber + 1, log: before.log });
    expect(await stage.post('/wallet/gettransactioninfobyblocknum', { num: before.blockNumber })).toEqual([]);
    expect(utils.transaction.txCheck(await trx.getTransaction(id))).toBe(true);
  });
});

test('a facade that starts later tells the same of a transaction', async () => {
  const id = await paid();
  await stage.sandbox.mine(100);
  const later = await TronFacade.start({ rpcUrl: stage.sandbox.rpcUrl, clock: new SystemClock(), log: silentLog });
  const answer = await fetch(`${later.url}/wallet/gettransactioninfobyid?value=${id}`);
  expect(await answer.json()).toEqual(await stage.post('/wallet/gettransactioninfobyid', { value: id }));
  await later.close();
});

describe('refused is', () => {
  const signed = async () => {
    const parameters = [
      { type: 'address', value: MERCHANT },
      { type: 'uint256', value: '3' },
    ];
    const { transactionBuilder, trx } = stage.tronWeb;
    const options = { feeLimit: 50_000_000 };
    const built = await transactionBuilder.triggerSmartContract(USDT, 'transfer(address,uint256)', options, parameters);
    return trx.sign(built.transaction);
  };
  const broadcast = (transaction: object) => stage.post('/wallet/broadcasttransaction', transaction);

  test('a signature of another account, or none', async () => {
    const transaction = await signed();
    const other = stage.sandbox.accounts[4]?.privateKey.slice(2) ?? '';
    const forged = utils.crypto.ECKeySign(
      utils.code.hexStr2byteArray(transaction.txID),
      utils.code.hexStr2byteArray(other),
    );
    for (const signature of [[forged], [], ['00'], ['00'.repeat(65)], [...transaction.signature, forged]]) {
      expect(await broadcast({ ...transaction, signature })).toMatchObject({
        code: 'SIGERROR',
        txid: transaction.txID,
      });
    }
  });

  test('another id than the hash of what was signed', async () => {
    const transaction = await signed();
    expect(await broadcast({ ...transaction, txID: UNKNOWN })).toMatchObject({
      Error: expect.stringContaining('txID') as string,
    });
    const raised = transaction.raw_data_hex.replace(/03(?=70)/, '04');
    expect(raised).not.toBe(transaction.raw_data_hex);
    expect(await broadcast({ ...transaction, raw_data_hex: raised })).toHaveProperty('Error');
  });

  test('the same transaction twice, whether it waits for a block or is in one', async () => {
    const transaction = await signed();
    expect(await broadcast(transaction)).toEqual({ result: true, txid: transaction.txID });
    expect(await broadcast(transaction)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
    await stage.sandbox.mine(1);
    expect(await broadcast(transaction)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
  });

  test.each([
    ['what has expired', { expiration: 1_000 }, 'TRANSACTION_EXPIRATION_ERROR'],
    ['what never expires', { expiration: Date.now() + 10 * 86_400_000 }, 'TRANSACTION_EXPIRATION_ERROR'],
    ['what was signed upon another branch', { ref_block_hash: '00'.repeat(8) }, 'TAPOS_ERROR'],
    ['what was signed upon a block to come', { ref_block_bytes: 'ffff' }, 'TAPOS_ERROR'],
  ])('%s', async (_name, changes, code) => {
    const { raw_data: rawData } = await signed();
    expect(await sendChanged({ ...rawData, ...changes })).toMatchObject({ code });
  });

  test.each([
    ['a call of an address without a contract', { contract_address: `41${'0b'.repeat(20)}` }],
    ['coins, which the local chain has not got', { call_value: 1 }],
  ])('%s', async (_name, changes) => {
    const { raw_data: rawData } = await signed();
    const [contract] = rawData.contract;
    const value = { ...contract?.parameter.value, ...changes };
    const changed = [{ ...contract, parameter: { ...contract?.parameter, value } }];
    expect(await sendChanged({ ...rawData, contract: changed })).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
  });

  test('what is no transaction', async () => {
    expect(await stage.post('/wallet/broadcasthex', { transaction: 'ffff' })).toHaveProperty('Error');
    expect(await stage.post('/wallet/broadcasthex', { transaction: '0a00' })).toMatchObject({
      code: 'CONTRACT_VALIDATE_ERROR',
    });
  });

  async function sendChanged(rawData: object): Promise<Json> {
    const protobuf: unknown = utils.transaction.txJsonToPb({ raw_data: rawData, visible: false });
    const txID = utils.transaction.txPbToTxID(protobuf).slice(2);
    const key = stage.tronWeb.defaultPrivateKey;
    if (key === false) throw new Error('the customer has no key');
    const signature = [utils.crypto.ECKeySign(utils.code.hexStr2byteArray(txID), utils.code.hexStr2byteArray(key))];
    return broadcast({ txID, raw_data_hex: utils.transaction.txPbToRawDataHex(protobuf), signature });
  }
});
