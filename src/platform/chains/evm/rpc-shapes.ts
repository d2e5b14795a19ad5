import { z } from 'zod';
import { SECOND_MS } from '../../../kernel/clock';
import type { BlockHeader } from '../../../kernel/ports/chain';

/** Five times the number for which the gas of the largest blocks of the watched networks pays. */
const MAX_TRANSACTIONS = 100_000;
/**
 * Eleven digits. A larger number can only be milliseconds given for seconds, which would cover every deadline at once.
 */
const LATEST_TIME_S = 99_999_999_999;

/** A JSON-RPC quantity that fits an exact integer. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,14}$/)
  .transform(Number)
  .refine(Number.isSafeInteger, 'is above 2^53');

export const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(text => text.toLowerCase());

/** Lower case, since a node's own checksum proves nothing. */
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(text => text.toLowerCase());

export const bytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform(text => text.toLowerCase());

/** A 256-bit number. */
export const word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);

/** A 256-bit number; null for the empty answer of an address without code. */
export const decimalsResult = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{64})?$/)
  .transform(text => (text === '0x' ? null : BigInt(text)));

export const header = z
  .object({
    number: quantity,
    hash,
    parentHash: hash,
    timestamp: quantity.refine(seconds => seconds <= LATEST_TIME_S, 'not a time in seconds'),
  })
  .transform((block): BlockHeader => ({
    number: block.number,
    hash: block.hash,
    parentHash: block.parentHash,
    timeMs: block.timestamp * SECOND_MS,
  }));

/** A block with the hashes of its transactions. */
export const block = z.object({ number: quantity, hash, transactions: z.array(hash).max(MAX_TRANSACTIONS) });
export type RawBlock = z.output<typeof block>;

export const log = z.object({
  address,
  topics: z.array(hash).max(4),
  data: bytes,
  logIndex: quantity,
  transactionHash: hash,
  blockNumber: quantity,
  blockHash: hash,
});
export type RawLog = z.output<typeof log>;

/** A list that is read element by element is empty in the answer. */
export const emptied = z.array(z.unknown()).max(0);

/** The parts of a receipt without its logs. */
export const receiptHead = z.object({
  transactionHash: hash,
  status: quantity,
  blockNumber: quantity,
  blockHash: hash,
  logs: emptied,
});
export type ReceiptHead = z.output<typeof receiptHead>;

export function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}
