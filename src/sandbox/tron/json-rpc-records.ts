import { z } from 'zod';
import { bytes, hash } from '../../platform/chains/evm/rpc-shapes';

/** The text is kept as the node wrote it, since it is handed on. */
const quantityText = z.string().regex(/^0x[0-9a-fA-F]{1,14}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

export const rawLog = z.looseObject({ transactionHash: hash, blockNumber: quantityText, blockHash: hash });
export type RawLog = z.output<typeof rawLog>;

export const rawReceipt = z.looseObject({
  transactionHash: hash,
  blockNumber: quantityText,
  blockHash: hash,
  logs: z.array(rawLog),
});
export type RawReceipt = z.output<typeof rawReceipt>;

export const rawTransaction = z.looseObject({ hash, from: address, to: address.nullable(), input: bytes });

export const rawBlock = z.looseObject({
  number: quantityText,
  hash,
  parentHash: hash,
  transactions: z.array(rawTransaction),
});
export type RawBlock = z.output<typeof rawBlock>;

export const request = z.object({
  id: z.union([z.string().max(64), z.number(), z.null()]).default(null),
  method: z.string().max(64),
  params: z.array(z.unknown()).max(8).default([]),
});

const blockTag = z.string().max(32);
export const logFilter = z.object({
  address: z.unknown().optional(),
  topics: z.unknown().optional(),
  fromBlock: blockTag.optional(),
  toBlock: blockTag.optional(),
  blockHash: z.string().max(66).optional(),
});
export type LogFilter = z.output<typeof logFilter>;
