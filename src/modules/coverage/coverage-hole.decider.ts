import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { checkedReason } from '../../vocabulary/reasons';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type {
  CoverageHoleEvent,
  CoverageHoleExtended,
  CoverageHoleOpened,
  CoverageHoleShortened,
} from './coverage-hole.events';

export type CoverageHole =
  | { readonly status: 'none' }
  | { readonly status: 'open' | 'read' | 'dropped' | 'closed'; readonly hole: CoverageHoleOpened['data'] };

export type CoverageHoleCommand =
  | { readonly type: 'open'; readonly hole: CoverageHoleOpened['data'] }
  | { readonly type: 'extend'; readonly end: CoverageHoleExtended['data'] }
  /** All blocks from `from` up to the new start were read. */
  | { readonly type: 'shorten'; readonly from: number; readonly start: CoverageHoleShortened['data'] }
  /** All blocks from `from` to `to` were looked at. */
  | { readonly type: 'read' | 'drop'; readonly from: number; readonly to: number }
  | { readonly type: 'close'; readonly note: string };

type Shortening = Extract<CoverageHoleCommand, { readonly type: 'shorten' }>;
type Closing = Extract<CoverageHoleCommand, { readonly type: 'close' }>;

type Place = Pick<CoverageHoleOpened['data'], 'network_id' | 'instance' | 'block_number' | 'block_hash'>;

/** One stream a block, as the hole was opened: a block that replaces another at its height has its own. */
export function coverageHoleId({ network_id, instance, block_number, block_hash }: Place): string {
  return `${network_id}:${instance}:${block_number}:${block_hash}`;
}

function decide(
  command: CoverageHoleCommand,
  state: CoverageHole,
  context: DecisionContext,
): readonly CoverageHoleEvent[] {
  switch (command.type) {
    case 'open':
      return decideOpening(command.hole, state);
    case 'extend':
      if (state.status !== 'open' || command.end.to_number <= state.hole.to_number) return [];
      return [{ type: 'CoverageHoleExtended', data: command.end }];
    case 'shorten':
      return isShorter(command, state) ? [{ type: 'CoverageHoleShortened', data: command.start }] : [];
    case 'read':
      return isWhole(command, state) ? [{ type: 'CoverageHoleRead', data: {} }] : [];
    case 'drop':
      return isWhole(command, state) ? [{ type: 'CoverageHoleDropped', data: {} }] : [];
    case 'close':
      return decideClosing(command, state, context);
    default:
      return unreachable(command);
  }
}

/**
 * True where the hole holds the block already. A block that an administrator gave up stays given up, however often it
 * is met again.
 */
export function holdsBlock(state: CoverageHole, blockNumber: number): boolean {
  return (state.status === 'open' || state.status === 'closed') && state.hole.block_number <= blockNumber;
}

function decideOpening(hole: CoverageHoleOpened['data'], state: CoverageHole): readonly CoverageHoleEvent[] {
  if (holdsBlock(state, hole.block_number)) return [];
  if (state.status !== 'open' && state.status !== 'closed') return [{ type: 'CoverageHoleOpened', data: hole }];
  const { to_number, block_hash } = state.hole;
  // A block that was read before is unread once more, and the hole keeps its end. The blocks that an administrator had
  // given up are unread once more as well: a hole has no gaps.
  return [{ type: 'CoverageHoleOpened', data: { ...hole, to_number, block_hash, tx_hash: null } }];
}

/**
 * True where at least two blocks stay unread. The last block's hash may be that of a replaced block, so a hole of
 * several blocks goes by their numbers to its end. False where the hole has had another start since it was read.
 */
function isShorter({ from, start: { block_number } }: Shortening, state: CoverageHole): boolean {
  if (state.status !== 'open' || state.hole.block_number !== from) return false;
  return block_number > from && block_number < state.hole.to_number;
}

/** False where the hole has had another start or end since its blocks were looked at. */
function isWhole({ from, to }: { readonly from: number; readonly to: number }, state: CoverageHole): boolean {
  return state.status === 'open' && state.hole.block_number === from && state.hole.to_number === to;
}

function decideClosing(
  command: Closing,
  { status }: CoverageHole,
  { actor }: DecisionContext,
): readonly CoverageHoleEvent[] {
  if (actor.role !== 'admin') throw refuse('forbidden_actor');
  const note = checkedReason(command.note, 'note');
  if (status === 'none') throw refuse('resource_missing', { param: 'hole', message: 'No such hole was ever opened.' });
  if (status !== 'open')
    throw refuse('invalid_state_transition', { param: 'hole', message: `The hole is ${status} already.` });
  return [{ type: 'CoverageHoleClosed', data: { note } }];
}

function evolve(state: CoverageHole, event: CoverageHoleEvent): CoverageHole {
  if (event.type === 'CoverageHoleOpened') return { status: 'open', hole: event.data };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'CoverageHoleExtended':
      return { ...state, hole: { ...state.hole, ...event.data, tx_hash: null } };
    case 'CoverageHoleShortened':
      return { ...state, hole: { ...state.hole, ...event.data, tx_hash: null } };
    case 'CoverageHoleRead':
      return { ...state, status: 'read' };
    case 'CoverageHoleDropped':
      return { ...state, status: 'dropped' };
    case 'CoverageHoleClosed':
      return { ...state, status: 'closed' };
    default:
      return unreachable(event);
  }
}

/** Blocks of a chain that coverage passed without having read them whole. */
export const coverageHoles: Aggregate<CoverageHole, CoverageHoleCommand, CoverageHoleEvent> = {
  category: 'coverage_hole',
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
