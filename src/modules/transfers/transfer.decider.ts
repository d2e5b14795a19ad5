import type { DecisionContext } from '../../kernel/decider';
import { refuse, type ErrorCode } from '../../kernel/errors';
import { derivedId } from '../../kernel/ids';
import { invariant, unreachable } from '../../kernel/invariant';
import { canonicalJson } from '../../kernel/json';
import { isNetworkId } from '../../kernel/tokens';
import type { Aggregate } from '../../kernel/write-path';
import type { RankedCandidate, TransferEvent, TransferKey, TransferSeen } from './transfer.events';

export type Transfer =
  | { readonly status: 'none' }
  | {
      readonly status: 'seen' | 'claimed' | 'unmatched' | 'resolved' | 'attribution_failed' | 'reorged_out';
      readonly seen: TransferSeen['data'];
      /** The payment intent whose claim or resolution stands; null when none does. */
      readonly claim: string | null;
      /** It has been in the queue of unmatched transfers, whether or not it is there now. */
      readonly queued: boolean;
      readonly candidates: readonly RankedCandidate[];
    };

type KnownTransfer = Exclude<Transfer, { readonly status: 'none' }>;

export type TransferCommand =
  /** `claim` is the payment intent whose reservation the transfer meets, or null. */
  | { readonly type: 'see'; readonly seen: TransferSeen['data']; readonly claim: string | null }
  /** Somebody names it for a payment by its hash. */
  | { readonly type: 'claim'; readonly by: string }
  /** The credit of the claim `by` was refused. */
  | { readonly type: 'unmatch'; readonly by: string }
  | { readonly type: 'rank_candidates'; readonly candidates: readonly RankedCandidate[] }
  | { readonly type: 'resolve'; readonly by: string; readonly note: string }
  | { readonly type: 'fail_attribution'; readonly by: string; readonly refusal: ErrorCode }
  | { readonly type: 'reopen'; readonly reason: string }
  /** `by`: the payment intent that has lost it; null where it belongs to none. */
  | { readonly type: 'reorg_out'; readonly blockHash: string; readonly by: string | null };

type Command<T extends TransferCommand['type']> = Extract<TransferCommand, { readonly type: T }>;
type Decision = readonly TransferEvent[];

/** The stream's id. The ordinal is the log's place within its receipt: the block-wide index moves in a reorganisation. */
export function transferStreamId({ network, txHash, ordinal }: TransferKey): string {
  return `${network}:${txHash}:${ordinal}`;
}

/** What `transferStreamId` was made of. */
export function transferKeyOf(streamId: string): TransferKey {
  const [network = '', txHash = '', ordinal = ''] = streamId.split(':');
  invariant(isNetworkId(network) && /^\d+$/.test(ordinal), `not a transfer's stream: ${streamId}`);
  return { network, txHash, ordinal: Number(ordinal) };
}

/** `tr_…`, as the API shows it. */
export function transferId({ network, txHash, ordinal }: TransferKey): string {
  return derivedId('tr', [network, txHash, ordinal]);
}

function decide(command: TransferCommand, state: Transfer, context: DecisionContext): Decision {
  switch (command.type) {
    case 'see':
      return decideSighting(command, state);
    case 'claim':
      return decideClaim(command, state);
    case 'unmatch':
      // Of a claim that another one has taken the place of since, nothing is to be said.
      if (state.status !== 'claimed' || state.claim !== command.by) return [];
      return [{ type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: command.by } }];
    case 'rank_candidates':
      if (state.status !== 'unmatched' || canonicalJson(state.candidates) === canonicalJson(command.candidates))
        return [];
      return [{ type: 'CandidatesRanked', data: { candidates: command.candidates } }];
    case 'resolve':
      return decideResolution(command, state, context);
    case 'fail_attribution':
      if (state.status !== 'resolved' || state.claim !== command.by) return [];
      return [{ type: 'AttributionFailed', data: { by: command.by, refusal: command.refusal } }];
    case 'reopen':
      return decideReopening(command, state, context);
    case 'reorg_out': {
      const known = state.status !== 'none' && state.status !== 'reorged_out';
      if (!known || state.seen.block_hash !== command.blockHash) return [];
      // It was told wrongly at first, and is another's, or nobody's, since.
      if (command.by !== null && state.claim !== command.by) return [];
      return [{ type: 'TransferReorgedOut', data: { block_hash: command.blockHash } }];
    }
    default:
      return unreachable(command);
  }
}

function decideSighting(command: Command<'see'>, state: Transfer): Decision {
  const known = state.status !== 'none' && state.status !== 'reorged_out';
  // A reorganisation may change what a transaction does; of one block, a provider may have told wrongly what is told rightly later.
  const meetsTheSame = known && isForTheSame(state.seen, command.seen);
  const { block_hash: hash, from } = command.seen;
  if (meetsTheSame && state.seen.block_hash === hash && state.seen.from === from) return [];
  const seen: TransferEvent = { type: 'TransferSeen', data: command.seen };
  // A standing claim outlives a move to another block; with another value the transfer is matched anew.
  const claim = (meetsTheSame ? state.claim : null) ?? command.claim;
  if (claim !== null) return [seen, { type: 'TransferClaimed', data: { by: claim } }];
  return [seen, { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } }];
}

/** Whether both meet the same reservation. */
function isForTheSame(one: TransferSeen['data'], other: TransferSeen['data']): boolean {
  return one.value_base_units === other.value_base_units && one.to === other.to && one.token_id === other.token_id;
}

function decideClaim({ by }: Command<'claim'>, state: Transfer): Decision {
  if (state.status === 'none' || state.status === 'reorged_out') throw refuse('unmatched_transfer_not_found');
  if (state.claim !== null) {
    if (state.claim === by) return [];
    throw refuse('attribution_already_exists');
  }
  if (state.status !== 'unmatched') throw refuse('unmatched_transfer_already_resolved');
  return [{ type: 'TransferClaimed', data: { by } }];
}

/** Who decides in the queue, and what is there: a transfer that never lacked a payment is not in it. */
function inQueue(state: Transfer, context: DecisionContext): KnownTransfer {
  if (state.status === 'none' || !state.queued || state.status === 'reorged_out')
    throw refuse('unmatched_transfer_not_found');
  if (context.actor.role !== 'admin') throw refuse('forbidden_actor');
  return state;
}

function decideResolution({ by, note }: Command<'resolve'>, state: Transfer, context: DecisionContext): Decision {
  const { status } = inQueue(state, context);
  if (status !== 'unmatched') throw refuse('unmatched_transfer_already_resolved');
  if (note.trim() === '') throw refuse('invalid_resolution', { param: 'note' });
  return [{ type: 'TransferResolved', data: { by, note } }];
}

function decideReopening({ reason }: Command<'reopen'>, state: Transfer, context: DecisionContext): Decision {
  const { status } = inQueue(state, context);
  if (status !== 'attribution_failed') throw refuse('unmatched_transfer_not_resolved');
  if (reason.trim() === '') throw refuse('invalid_reason', { param: 'reason' });
  return [{ type: 'TransferReopened', data: { reason } }];
}

function evolve(state: Transfer, event: TransferEvent): Transfer {
  if (event.type === 'TransferSeen') {
    const queued = state.status !== 'none' && state.queued;
    return { status: 'seen', seen: event.data, claim: null, queued, candidates: [] };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'TransferClaimed':
      return { ...state, status: 'claimed', claim: event.data.by };
    case 'TransferUnmatched':
      return { ...state, status: 'unmatched', claim: null, queued: true };
    case 'CandidatesRanked':
      return { ...state, candidates: event.data.candidates };
    case 'TransferResolved':
      return { ...state, status: 'resolved', claim: event.data.by };
    case 'AttributionFailed':
      return { ...state, status: 'attribution_failed', claim: null };
    case 'TransferReopened':
      return { ...state, status: 'unmatched' };
    case 'TransferReorgedOut':
      return { ...state, status: 'reorged_out', claim: null };
    default:
      return unreachable(event);
  }
}

export const transfers: Aggregate<Transfer, TransferCommand, TransferEvent> = {
  category: 'transfer',
  missing: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
