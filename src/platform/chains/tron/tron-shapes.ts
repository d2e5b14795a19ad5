import { z } from 'zod';
import type { BlockHeader } from '../../../kernel/ports/chain';

/** A number far above the transactions of any block of three seconds. */
export const MAX_TRANSACTIONS = 20_000;
/** Fourteen digits: a larger number can only be in finer units than milliseconds. */
const LATEST_TIME_MS = 99_999_999_999_999;
const NUMBER_DIGITS = 16;
const BLOCK_ID = /^[0-9a-f]{64}$/;

const hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform(text => text.toLowerCase());

/** The height in the first 8 bytes of a block id; null for a text that is no block id. */
export function heightOf(blockId: string): number | null {
  if (!BLOCK_ID.test(blockId)) return null;
  const height = Number.parseInt(blockId.slice(0, NUMBER_DIGITS), 16);
  return Number.isSafeInteger(height) ? height : null;
}

export type BlockContents = BlockHeader & {
  /** The ids of the block's transactions. */
  readonly transactions: readonly string[];
};

/** A list that is read element by element is empty in the answer. */
const emptied = z.array(z.unknown()).max(0).default([]);

export const listedTransaction = z.object({ txID: hash });

/**
 * Nodes leave out zero and empty values, so the first block has no number. Nodes answer {} for a block that they do not
 * have.
 */
export const block = orNull(
  z
    .object({
      blockID: hash,
      block_header: z.object({
        raw_data: z.object({
          number: z.int().min(0).default(0),
          timestamp: z.int().min(0).max(LATEST_TIME_MS, 'not a time in milliseconds').default(0),
          parentHash: hash,
        }),
      }),
      transactions: emptied,
    })
    .transform(({ blockID, block_header: { raw_data: raw } }): BlockHeader => ({
      number: raw.number,
      hash: blockID,
      parentHash: raw.parentHash,
      timeMs: raw.timestamp,
    }))
    .refine(({ number, hash: id }) => heightOf(id) === number, 'the id holds another number'),
);

/**
 * The shape is loose, since a strange log of some other contract must not hide the transfers that matter. Hex has no
 * 0x.
 */
export const log = z.object({
  address: z.string().default(''),
  topics: z.array(z.string()).default([]),
  data: z.string().default(''),
});

export const transactionInfo = z.object({
  id: hash,
  blockNumber: z.int().min(0).default(0),
  /** Absent on success. */
  result: z.string().optional(),
  /** A transaction that calls no contract has no result. */
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: emptied,
});
export type TransactionInfo = z.output<typeof transactionInfo>;

export const info = orNull(transactionInfo);
export const infos = orNull(emptied);

function orNull<T extends z.ZodType>(shape: T) {
  return z.unknown().transform(nothingToNull).pipe(shape.nullable());
}

function nothingToNull(answer: unknown): unknown {
  const isNothing =
    typeof answer === 'object' && answer !== null && !Array.isArray(answer) && Object.keys(answer).length === 0;
  return isNothing ? null : answer;
}
