import { invariant, unreachable } from '../kernel/invariant';
import { finalHeight, type ChainProgress } from '../vocabulary/finality';
import type { FinalityRule } from '../vocabulary/networks';
import { TAIL_BLOCKS } from './block-tail';
import type { Cursor } from './coverage-record';
import type { WatchPolicy } from '../vocabulary/watch-policy';

/** The heights of the chain. */
export type Heads = {
  readonly head: Cursor;
  /** Null while too few providers tell the final block. */
  readonly finalizedHeight: ChainProgress['finalizedHeight'] | null;
  /** Up to this height the network's standard rule is met. */
  readonly agreedHeight: number;
};

/** The facts that a tick has when its next steps are planned. */
export type Standing = {
  /** The blocks up to this one are covered, as the log and the documents have it. */
  readonly cursor: Cursor;
  /** The blocks up to this one are read for good: the cursor, or beyond it where transfers wait for their places. */
  readonly read: Cursor;
  /** The newest block of the remembered tail, where the tail is linked to `read`. */
  readonly tail: Cursor | null;
  readonly heads: Heads;
  /** Whether everything up to the head was scanned by an earlier tick. */
  readonly isScanned: boolean;
  /** Whether the list of wallets holds every address that may be paid. */
  readonly knowsWallets: boolean;
  /** The last answer that was not the expected one; null at first. */
  readonly found: Finding | null;
  /** Times that a block was found replaced in this tick. */
  readonly replacements: number;
};

/** One thing to do. Each step expects a plain answer: any other answer is a finding. */
export type Step =
  /** Drops the memory of the scan: the blocks are scanned again. */
  | { readonly kind: 'forget' }
  /** Asks whether enough providers tell of the block at which reading goes on. */
  | { readonly kind: 'ask_answered'; readonly height: number }
  /** Asks whether enough providers have the tail's newest block. */
  | { readonly kind: 'ask_tail'; readonly block: Cursor }
  /** Reads the blocks after one, up to a final one, by ranges. */
  | { readonly kind: 'read_ranges'; readonly after: Cursor; readonly to: number }
  /** Reads the blocks above a height, up to the head, each by its hash. */
  | { readonly kind: 'read_open_end'; readonly above: number }
  /** Looks for the newest recorded block that still stands. */
  | { readonly kind: 'seek_mark' }
  /** Reads the blocks that replaced those after the mark, and records that. */
  | { readonly kind: 'go_back'; readonly to: Cursor }
  /** Asks whether enough providers have the scanned block at the height. */
  | { readonly kind: 'agree'; readonly height: number }
  /** Reads the blocks after a height once more, up to the agreed block. */
  | { readonly kind: 'read_again'; readonly after: number }
  /** Moves coverage to the agreed block, as far as transfers have their places. */
  | { readonly kind: 'cover'; readonly deadlines: WatchPolicy['deadlinesFollow'] }
  /** Records the end of the scan, and moves no cursor. */
  | { readonly kind: 'note'; readonly deadlines: WatchPolicy['deadlinesFollow'] }
  /** Records that nothing more can be set aside. */
  | { readonly kind: 'wait_for_room'; readonly fault: Error }
  /** Follows the payments that were seen. */
  | { readonly kind: 'follow' }
  /** Drops the memory of replaced blocks: the payments in them have been followed. */
  | { readonly kind: 'forget_replaced' }
  /** Gives waiting transfers their places, for as long as the tick has time. */
  | { readonly kind: 'place' }
  /** Records that more can be set aside, where no transfer waits for its place by then. */
  | { readonly kind: 'clear_room_if_placed' }
  /** Ends the tick as an outage does: the next one comes after a pause. */
  | { readonly kind: 'interrupt'; readonly reason: 'unknown_finality' | 'replacements' };

/** An answer after which the rest of the plan is void. */
export type Finding =
  /** Too few providers tell of the block at which reading goes on. */
  | { readonly kind: 'unanswered' }
  /** Enough providers have another block in place of the tail's newest. */
  | { readonly kind: 'tail_gone' }
  /** Enough providers tell of none of the next blocks. Reading came to `reached`. */
  | { readonly kind: 'stuck'; readonly reached: Cursor }
  /** The process ends. */
  | { readonly kind: 'stopped' }
  /** The head is not linked to the cursor: the chain moved, or blocks in between were left out. */
  | { readonly kind: 'not_linked' }
  /** Enough providers have another block in place of this one. `cursor` is the present end of coverage. */
  | { readonly kind: 'replaced'; readonly block: Cursor; readonly cursor: Cursor }
  /** The newest recorded block that stands. */
  | { readonly kind: 'mark'; readonly mark: Cursor }
  /** Coverage has its new cursor on the chain that stands. */
  | { readonly kind: 'went_back'; readonly cursor: Cursor }
  /** Too few providers agree on the scanned block at the height to cover, or none was scanned there. */
  | { readonly kind: 'disputed' }
  /** A block or a transfer should be set aside, and nothing more can be. `isPlacing`: the step `place` met that. */
  | { readonly kind: 'full'; readonly isPlacing: boolean; readonly fault: Error };

/** One for the reading, one for the recorded cursor: after a third the tick waits until the chain is at rest. */
const REPLACEMENTS_A_TICK = 2;

/** The heights by the network's standard rule. No block is agreed on while too few providers tell the final one. */
export function headsOf(rule: FinalityRule, head: Cursor, finalizedHeight: Heads['finalizedHeight']): Heads {
  const agreedHeight = finalizedHeight === null ? 0 : Math.max(0, finalHeight(rule, { head, finalizedHeight }));
  return { head, finalizedHeight, agreedHeight };
}

/** Whether the tick asks for the list of wallets to be whole: nothing may be covered by a list that lacks one. */
export function asksForWallets({ heads, isScanned }: Pick<Standing, 'heads' | 'isScanned'>): boolean {
  return heads.finalizedHeight !== null && !isScanned;
}

/** Whether the tick scans the blocks up to the head. Without a final block known, a scan only sees new payments. */
export function isScanDue(at: Pick<Standing, 'heads' | 'isScanned' | 'knowsWallets'>): boolean {
  return at.heads.finalizedHeight === null || (at.knowsWallets && !at.isScanned);
}

/** Whether the tick needs the addresses of the list: for its scan, or for transfers that wait for their places. */
export function asksForAddresses(at: Parameters<typeof isScanDue>[0], isBacklogEmpty: boolean): boolean {
  return isScanDue(at) || (at.knowsWallets && !isBacklogEmpty);
}

/** The steps of a tick by all known facts. A finding ends them: `learn` takes it up, and the rest is planned anew. */
export function planTick(policy: WatchPolicy, at: Standing): readonly Step[] {
  const { read, heads, found } = at;
  const [end, endOfScan] = [endOf(at, false), endOf(at, true)];
  if (found === null) {
    if (isScanDue(at)) return [...scanOf(policy, at), ...endOfScan];
    return at.knowsWallets ? endOfScan : [{ kind: 'forget' }, ...end];
  }
  switch (found.kind) {
    case 'unanswered':
    case 'stuck':
      // New blocks are seen all the same.
      return [{ kind: 'read_open_end', above: read.number }, ...end];
    case 'stopped':
    case 'not_linked':
      return end;
    case 'tail_gone':
      return [...rangesAndOpenEnd(policy, heads, read), ...endOfScan];
    case 'replaced':
      if (at.replacements > REPLACEMENTS_A_TICK)
        return [{ kind: 'forget' }, { kind: 'interrupt', reason: 'replacements' }];
      if (found.block.hash === found.cursor.hash) return [{ kind: 'forget' }, { kind: 'seek_mark' }];
      return [{ kind: 'forget' }, ...scanOf(policy, at), ...endOfScan];
    case 'mark':
      return [{ kind: 'go_back', to: found.mark }];
    case 'went_back':
      return [...scanOf(policy, at), ...endOfScan];
    case 'disputed':
      return [{ kind: 'note', deadlines: policy.deadlinesFollow }, { kind: 'clear_room_if_placed' }, ...endOfScan];
    case 'full':
      return [{ kind: 'wait_for_room', fault: found.fault }, ...(found.isPlacing ? [] : end)];
    default:
      return unreachable(found);
  }
}

/** The facts after the finding. */
export function learn(at: Standing, found: Finding): Standing {
  switch (found.kind) {
    case 'stuck':
      return { ...at, read: found.reached, tail: null, found };
    case 'replaced':
      return { ...readTo(at, found.cursor), found, replacements: at.replacements + 1 };
    case 'went_back':
      return { ...readTo(at, found.cursor), found };
    case 'unanswered':
    case 'tail_gone':
    case 'stopped':
    case 'not_linked':
    case 'mark':
    case 'disputed':
    case 'full':
      return { ...at, found };
    default:
      return unreachable(found);
  }
}

/** No block above the cursor is remembered. */
function readTo(at: Standing, cursor: Cursor): Standing {
  return { ...at, cursor, read: cursor, tail: null };
}

/** While no provider tells the final block, new payments are seen, and none is followed. */
function endOf({ heads, knowsWallets }: Standing, isScanned: boolean): readonly Step[] {
  if (heads.finalizedHeight === null) return [{ kind: 'interrupt', reason: 'unknown_finality' }];
  // Without a scan nothing is known of the replaced blocks.
  const forgetReplaced: readonly Step[] = knowsWallets ? [{ kind: 'forget_replaced' }] : [];
  // Where the scan itself found no room, it is tried again with the next tick.
  const clearRoom: readonly Step[] = isScanned ? [{ kind: 'clear_room_if_placed' }] : [];
  return [{ kind: 'follow' }, ...forgetReplaced, { kind: 'place' }, ...clearRoom];
}

/** Blocks up to this height are read by range: any reorganisation that the watcher must survive lies above it. */
function rangeEndOf({ head, finalizedHeight, agreedHeight }: Heads): number {
  // Deeper than the tail reaches, blocks are as good as final even where the network has stopped finalizing.
  return Math.max(Math.min(finalizedHeight ?? 0, agreedHeight), Math.min(agreedHeight, head.number - TAIL_BLOCKS));
}

function scanOf(policy: WatchPolicy, { read, tail, heads }: Standing): readonly Step[] {
  if (rangeEndOf(heads) <= (tail ?? read).number) return stepsOfOpenEnd(policy, heads, read.number);
  const askAnswered: Step = { kind: 'ask_answered', height: read.number };
  // Blocks that were read for good at first sight, and still stand, are not read again.
  if (tail === null || policy.readsForGood === 'agreement')
    return [askAnswered, ...rangesAndOpenEnd(policy, heads, read)];
  return [askAnswered, { kind: 'ask_tail', block: tail }, ...rangesAndOpenEnd(policy, heads, tail)];
}

function rangesAndOpenEnd(policy: WatchPolicy, heads: Heads, after: Cursor): readonly Step[] {
  const to = rangeEndOf(heads);
  invariant(to > after.number, 'ranges are read where final blocks lie ahead');
  return [{ kind: 'read_ranges', after, to }, ...stepsOfOpenEnd(policy, heads, to)];
}

function stepsOfOpenEnd(policy: WatchPolicy, { finalizedHeight, agreedHeight }: Heads, above: number): readonly Step[] {
  const seen: Step = { kind: 'read_open_end', above };
  if (finalizedHeight === null) return [seen];
  const isReadAgain = policy.readsForGood === 'agreement' && agreedHeight > above;
  const again: readonly Step[] = isReadAgain ? [{ kind: 'read_again', after: above }] : [];
  const { deadlinesFollow: deadlines } = policy;
  const cover: readonly Step[] = [{ kind: 'cover', deadlines }, { kind: 'clear_room_if_placed' }];
  return [seen, { kind: 'agree', height: agreedHeight }, ...again, ...cover];
}
