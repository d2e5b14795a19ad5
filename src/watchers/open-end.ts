import type { BlockHeader } from '../kernel/ports/chain';
import type { Cursor } from './coverage-record';

/**
 * Blocks above the cursor that are read one by one: Base finalizes some 600 behind its head, and a provider may lag as
 * far again.
 */
export const OPEN_END_LIMIT = 4_096;

/** One block of a walk from the head down to the cursor. */
export type Walk = {
  readonly block: BlockHeader;
  /** The block before it, by a provider's word. Null where there is none, `unanswered` where no provider tells. */
  readonly parent: BlockHeader | 'unanswered' | null;
  /** The blocks up to this one are read. */
  readonly read: Cursor;
  /** Whether the remembered tail has the parent. */
  readonly isRemembered: boolean;
  /** Blocks of the walk so far, this one among them. */
  readonly length: number;
  /** Whether an earlier walk left blocks out. */
  readonly leavesOut: boolean;
};

/**
 * `on`: the parent is linked to the block; with `endsGap` the parent is the read block, and an earlier walk left blocks
 * out. `moved`: the chain has another parent by now. `replaced`: the read block is gone. `cut`: too many blocks lie in
 * between.
 */
export type Link =
  | { readonly kind: 'on'; readonly parent: BlockHeader; readonly endsGap: boolean }
  | { readonly kind: 'moved' | 'replaced' | 'unanswered' | 'cut' };

export function linkOf({ block, parent, read, isRemembered, length, leavesOut }: Walk): Link {
  if (parent === 'unanswered') return { kind: 'unanswered' };
  if (parent?.hash !== block.parentHash) return { kind: 'moved' };
  const isRead = parent.number === read.number;
  if (isRead && parent.hash !== read.hash) return { kind: 'replaced' };
  if (length >= OPEN_END_LIMIT && parent.number > read.number && !isRemembered) return { kind: 'cut' };
  return { kind: 'on', parent, endsGap: isRead && leavesOut };
}
