import { z } from 'zod';
import { bytes, hash, quantity } from '../../platform/chains/evm/rpc-shapes';

/** A block of the local chain holds far fewer. */
const MAX_TRANSACTIONS = 10_000;
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(text => text.toLowerCase());

export const evmTransaction = z.looseObject({
  hash,
  from: address,
  to: address.nullable(),
  input: bytes,
  blockNumber: quantity.nullable(),
  blockHash: hash.nullable(),
});
export type EvmTransaction = z.output<typeof evmTransaction>;

export const evmBlock = z.object({
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: quantity,
  transactionsRoot: hash,
  miner: address,
  transactions: z.array(evmTransaction).max(MAX_TRANSACTIONS),
});
export type EvmBlock = z.output<typeof evmBlock>;

export const evmReceipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  status: quantity,
  gasUsed: quantity,
  logs: z.array(z.object({ address, topics: z.array(hash), data: bytes })),
});
export type EvmReceipt = z.output<typeof evmReceipt>;
