import { blockId, numberInBlockId, parentId } from '../../src/sandbox/tron/block-ids';
import type { EvmBlock, EvmReceipt } from '../../src/sandbox/tron/evm-records';
import { noFaults } from '../../src/sandbox/tron/tron-faults';
import { addressForm, blockJson, infoJson } from '../../src/sandbox/tron/tron-shapes';

const HASH = `0x${'ab'.repeat(32)}`;
const PARENT_HASH = `0x${'cd'.repeat(32)}`;
const TX_HASH = `0x${'12'.repeat(32)}`;
const ADDRESS = `0x${'0b'.repeat(20)}`;
const TOPIC = `0x${'0e'.repeat(32)}`;
const ids = noFaults();

const transaction = { hash: TX_HASH, from: ADDRESS, to: ADDRESS, input: '0x1234', blockNumber: 258, blockHash: HASH };
const block: EvmBlock = {
  number: 258,
  hash: HASH,
  parentHash: PARENT_HASH,
  timestamp: 1_700_000_000,
  transactionsRoot: TX_HASH,
  miner: ADDRESS,
  transactions: [transaction],
};
const receipt: EvmReceipt = {
  transactionHash: TX_HASH,
  blockHash: HASH,
  status: 1,
  gasUsed: 50_000,
  logs: [{ address: ADDRESS, topics: [TOPIC], data: '0x01' }],
};
const shown = { visible: false, hiddenLogsOf: new Set<string>() };

describe('block ids', () => {
  test('hold the number in 8 bytes, then the end of the hash; a parent’s is the parent block’s own', () => {
    expect(blockId(258, HASH, ids)).toBe(`0000000000000102${'ab'.repeat(24)}`);
    expect(parentId(block, ids)).toBe(blockId(257, PARENT_HASH, ids));
  });

  test('of the first block end in the chain id, and so does what the second calls its parent', () => {
    expect(blockId(0, HASH, ids)).toBe(`0000000000000000${'ab'.repeat(20)}cd8690dc`);
    expect(parentId({ ...block, number: 1 }, ids)).toBe(blockId(0, PARENT_HASH, ids));
    expect(blockId(0, HASH, { ...ids, wrongGenesis: true })).toMatch(/94a9059e$/);
  });

  test('give their number; what is none gives null', () => {
    expect(numberInBlockId(blockId(258, HASH, ids))).toBe(258);
    expect([HASH, '', 'ff'.repeat(32), 'zz'.repeat(32)].map(numberInBlockId)).toEqual([null, null, null, null]);
  });

  test('differ from the fork on for a provider that lies', () => {
    const liar = { ...ids, forkFrom: 258 };
    expect(blockId(257, HASH, liar)).toBe(blockId(257, HASH, ids));
    expect(blockId(258, HASH, liar)).toBe(`0000000000000102${'54'.repeat(24)}`);
    expect(parentId({ ...block, number: 259 }, liar)).toBe(blockId(258, PARENT_HASH, liar));
  });
});

describe('a block', () => {
  const hexForm = addressForm(false);

  test('shows hex without 0x and milliseconds, and no transactions in its header alone', () => {
    const rawData = {
      number: 258,
      txTrieRoot: '12'.repeat(32),
      witness_address: `41${'0b'.repeat(20)}`,
      parentHash: parentId(block, ids),
      version: 34,
      timestamp: 1_700_000_000_000,
    };
    const header = {
      blockID: blockId(258, HASH, ids),
      block_header: { raw_data: rawData, witness_signature: '00'.repeat(65) },
    };
    expect(blockJson(block, null, ids, hexForm)).toEqual(header);
    expect(blockJson({ ...block, transactions: [] }, [], ids, hexForm)).toEqual(header);
  });

  test('that is the first leaves out what is zero', () => {
    const genesis = blockJson({ ...block, number: 0, transactions: [] }, [], ids, hexForm);
    expect(genesis).toMatchObject({ block_header: { raw_data: { parentHash: 'cd'.repeat(32) } } });
    expect(JSON.stringify(genesis)).not.toMatch(/"number"|"timestamp"/);
  });

  test('holds its transactions with what became of them', () => {
    expect(blockJson(block, [receipt], ids, hexForm)).toMatchObject({
      transactions: [
        {
          txID: '12'.repeat(32),
          ret: [{ contractRet: 'SUCCESS' }],
          raw_data: { contract: [{ type: 'TriggerSmartContract', parameter: { value: { data: '1234' } } }] },
        },
      ],
    });
  });
});

describe('what became of a transaction', () => {
  test('is told without a result when it succeeded; the log’s address has no 41', () => {
    const info = infoJson(transaction, receipt, block, shown);
    expect(info).toMatchObject({
      id: '12'.repeat(32),
      blockNumber: 258,
      blockTimeStamp: 1_700_000_000_000,
      contract_address: `41${'0b'.repeat(20)}`,
      receipt: { result: 'SUCCESS', energy_usage_total: 50_000 },
      log: [{ address: '0b'.repeat(20), topics: ['0e'.repeat(32)], data: '01' }],
    });
    expect(info).not.toHaveProperty('result');
  });

  test('is told twice when it failed, and there is no log', () => {
    const info = infoJson(transaction, { ...receipt, status: 0, logs: [] }, block, shown);
    expect(info).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'REVERT' },
      resMessage: expect.any(String) as string,
    });
    expect(info).not.toHaveProperty('log');
  });

  test('shows base58 to whoever asks for it, and hides the logs that a faulty provider misses', () => {
    const visible = infoJson(transaction, receipt, block, { ...shown, visible: true });
    const base58 = expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/) as string;
    expect(visible).toMatchObject({ contract_address: base58, log: [{ address: base58 }] });
    const hidden = infoJson(transaction, receipt, block, { ...shown, hiddenLogsOf: new Set(['12'.repeat(32)]) });
    expect(hidden).not.toHaveProperty('log');
  });
});
