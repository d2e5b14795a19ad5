import { getAddress } from 'ethers';
import { parseLists } from '../../../src/platform/chains/json-lists';
import {
  addressTopic,
  ReceiptLogs,
  TRANSFER_TOPIC,
  TransferFilter,
} from '../../../src/platform/chains/evm/transfer-logs';
import { cpuMs, longestHold } from '../../support/longest-hold';

const TRANSFERS = 8_000;
const TRIES = 3;
/** Work in one piece holds up others for all of its time. */
const MOST_HELD_SHARE = 0.5;
const CONTRACT = getAddress(`0x${'c0'.repeat(20)}`);
const MERCHANT = getAddress('0x000000000000000000000000000000000000beef');
const PLACE = { transactionHash: `0x${'a'.repeat(64)}`, blockNumber: 7, blockHash: `0x${'b'.repeat(64)}` };

const sender = (index: number) => `0x${(index + 1).toString(16).padStart(40, 'd')}`;

function logOf(index: number, from: string) {
  const topics = [TRANSFER_TOPIC, addressTopic(from), addressTopic(MERCHANT)];
  const data = `0x${'1'.padStart(64, '0')}`;
  return {
    address: CONTRACT.toLowerCase(),
    topics,
    data,
    logIndex: `0x${index.toString(16)}`,
    ...PLACE,
    blockNumber: '0x7',
  };
}

async function* inPieces(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
  await Promise.resolve();
}

test.each([
  ['of one sender', () => sender(0)],
  ['of as many senders', sender],
])('a receipt of 8,000 transfers %s lets other work have its turns', async (_name, from) => {
  const receipt = JSON.stringify({ logs: Array.from({ length: TRANSFERS }, (_, index) => logOf(index, from(index))) });
  let observed: readonly unknown[] = [];
  const shares: number[] = [];
  // A busy machine holds one try up or another; work in one piece holds up each of them.
  for (let tries = 0; tries < TRIES && !shares.some(share => share < MOST_HELD_SHARE); tries++) {
    const logs = new ReceiptLogs(new TransferFilter([CONTRACT], [MERCHANT]));
    const startMs = cpuMs();
    const holdMs = await longestHold(async () => {
      await parseLists(inPieces(receipt), [{ path: 'logs', take: logs.take }]);
      observed = logs.observed(PLACE);
    });
    shares.push(holdMs / (cpuMs() - startMs));
  }
  expect(observed).toHaveLength(TRANSFERS);
  expect(observed.at(-1)).toEqual({
    txHash: PLACE.transactionHash,
    ordinal: TRANSFERS - 1,
    contract: CONTRACT,
    from: getAddress(from(TRANSFERS - 1)),
    to: MERCHANT,
    valueBaseUnits: 1n,
    blockNumber: PLACE.blockNumber,
    blockHash: PLACE.blockHash,
  });
  expect(Math.min(...shares)).toBeLessThan(MOST_HELD_SHARE);
});
