import { characterCount } from '../../kernel/characters';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { CoverageHoleEvent, CoverageHoleOpened } from './coverage-hole.events';

export type CoverageHole =
  | { readonly status: 'none' }
  | { readonly status: 'open' | 'read' | 'dropped' | 'closed'; readonly hole: CoverageHoleOpened['data'] };

export type CoverageHoleCommand =
  | { readonly type: 'open'; readonly hole: CoverageHoleOpened['data'] }
  | { readonly type: 'read' | 'drop' }
  | { readonly type: 'close'; readonly note: string };

export const NOTE_LENGTH = 500;

type Place = Pick<CoverageHoleOpened['data'], 'network_id' | 'instance' | 'block_number' | 'block_hash'>;

/** One stream a block: a block that replaces another at its height has its own. */
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
      // A block that an administrator gave up stays given up, however often it is met again.
      if (state.status === 'open' || state.status === 'closed') return [];
      return [{ type: 'CoverageHoleOpened', data: command.hole }];
    case 'read':
      return state.status === 'open' ? [{ type: 'CoverageHoleRead', data: {} }] : [];
    case 'drop':
      return state.status === 'open' ? [{ type: 'CoverageHoleDropped', data: {} }] : [];
    case 'close':
      return decideClosing(command.note.trim(), state, context);
    default:
      return unreachable(command);
  }
}

function decideClosing(
  note: string,
  { status }: CoverageHole,
  { actor }: DecisionContext,
): readonly CoverageHoleEvent[] {
  if (actor.role !== 'admin') throw refuse('forbidden_actor');
  if (note === '' || characterCount(note) > NOTE_LENGTH)
    throw refuse('invalid_reason', { param: 'note', message: `Give a note of 1 to ${NOTE_LENGTH} characters.` });
  if (status === 'none') throw refuse('resource_missing', { param: 'hole', message: 'No such hole was ever opened.' });
  if (status !== 'open')
    throw refuse('invalid_state_transition', { param: 'hole', message: `The hole is ${status} already.` });
  return [{ type: 'CoverageHoleClosed', data: { note } }];
}

function evolve(state: CoverageHole, event: CoverageHoleEvent): CoverageHole {
  if (event.type === 'CoverageHoleOpened') return { status: 'open', hole: event.data };
  if (state.status === 'none') return state;
  switch (event.type) {
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

/** A block of a chain that coverage passed without having read it whole. */
export const coverageHoles: Aggregate<CoverageHole, CoverageHoleCommand, CoverageHoleEvent> = {
  category: 'coverage_hole',
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
