import { isRefusal } from '../../vocabulary/errors';
import type { BlockReading, ObservedTransfer, UnreadBlock } from '../../kernel/ports/chain';
import { invalidResponse } from './http-post';

/** Unread transactions of a block; beyond this number the block is unread as a whole. */
const MOST_UNREAD_TRANSACTIONS = 32;
/** Unread blocks of one question to one provider; a provider with more has a fault of its own. */
const MOST_UNREAD_BLOCKS = 8;

export type BlockPlace = { readonly number: number; readonly hash: string };

export const NOTHING: BlockReading = { transfers: [], unread: [] };

export function foundIn(transfers: readonly ObservedTransfer[]): BlockReading {
  return { transfers, unread: [] };
}

/** All blocks from `from` to the given last block. */
export function unreadableRun(from: number, last: BlockPlace): BlockReading {
  if (from === last.number) return unreadable(last, null);
  return {
    transfers: [],
    unread: [{ from, number: last.number, hash: last.hash, reason: 'unreadable', txHash: null }],
  };
}

/** `txHash` is null where any transaction of the block may be meant. */
export function unreadable({ number, hash }: BlockPlace, txHash: string | null): BlockReading {
  return { transfers: [], unread: [{ number, hash, reason: 'unreadable', txHash }] };
}

export function joined(readings: readonly BlockReading[]): BlockReading {
  return {
    transfers: readings.flatMap(({ transfers }) => transfers),
    unread: readings.flatMap(({ unread }) => unread),
  };
}

/** Names few blocks, and few transactions of each. Throws Refusal provider_response_invalid for many blocks. */
export function bounded({ transfers, unread }: BlockReading): BlockReading {
  const blocks = new Map<string, UnreadBlock[]>();
  for (const one of unread) blocks.set(one.hash, [...(blocks.get(one.hash) ?? []), one]);
  if (blocks.size > MOST_UNREAD_BLOCKS)
    throw invalidResponse('every question', `cannot be used in ${blocks.size} blocks`);
  const few = [...blocks.values()].flatMap(ofBlock =>
    ofBlock.length > MOST_UNREAD_TRANSACTIONS ? [{ ...(ofBlock[0] as UnreadBlock), txHash: null }] : ofBlock,
  );
  return { transfers, unread: few };
}

export function isInvalid(error: unknown): boolean {
  return isRefusal(error, 'provider_response_invalid');
}
