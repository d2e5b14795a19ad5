import type { DecisionContext } from '../../kernel/decider';
import type { ActorRole } from '../../kernel/event';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import { invariant, unreachable } from '../../kernel/invariant';
import { canonicalJson } from '../../vocabulary/json';
import { isNetworkId } from '../../vocabulary/networks';
import { checkedDecisionNote, checkedReason } from '../../vocabulary/reasons';
import type { Aggregate } from '../../kernel/write-path';
import type { InferenceEvidence } from './inference-facts';
import { transferUpcasts } from './transfer.upcast';
import type {
  QueuedUndecided,
  RankedCandidate,
  TransferEvent,
  TransferKey,
  TransferSeen,
  TransferSetAside,
} from './transfer.events';
import {
  changedSince,
  decideInference,
  decideSighting,
  endOfInference,
  isInferredForAnother,
  isKnown,
  isSameSighting,
  matched,
} from './transfer.sightings';
import { awaitsDecision, evolve, type KnownTransfer, type Transfer } from './transfer.state';

/** Each further transfer to its address may change the candidates of a waiting transfer. */
const RANKINGS_LIMIT = 100;

export type TransferCommand =
  /**
   * `claim` is the payment intent whose reservation the transfer meets, or null. `isJudged`: no inference for another
   * payment holds for the transfer in this block.
   */
  | {
      readonly type: 'see';
      readonly seen: TransferSeen['data'];
      readonly claim: string | null;
      readonly isJudged?: boolean;
    }
  /** The same as `see`, for a transfer that an inference gives to the payment. */
  | {
      readonly type: 'infer';
      readonly seen: TransferSeen['data'];
      readonly paymentIntent: string;
      readonly evidence: InferenceEvidence;
    }
  /**
   * The same as `see`, for a transfer that cannot wait until its payment is known. `candidate` is the payment that its
   * amount meets, or null.
   */
  | {
      readonly type: 'queue';
      readonly seen: TransferSeen['data'];
      readonly candidate: string | null;
      readonly reason: QueuedUndecided;
    }
  /** The same as `see`, for a payment that takes no new transfer: the transfer goes to the queue. */
  | {
      readonly type: 'turn_away';
      readonly seen: TransferSeen['data'];
      readonly paymentIntent: string;
      readonly isJudged?: boolean;
    }
  /** A person names the transfer for a payment by its hash. `seen`: the sighting by which its payment was judged. */
  | { readonly type: 'claim'; readonly paymentIntent: string; readonly seen: TransferSeen['data'] }
  /** The payment is about to count the transfer in this block. */
  | { readonly type: 'commit'; readonly paymentIntent: string; readonly blockHash: string }
  /** The credit to the payment was refused. */
  | ({ readonly type: 'unmatch'; readonly paymentIntent: string } & Asked)
  | { readonly type: 'rank_candidates'; readonly candidates: readonly RankedCandidate[] }
  | { readonly type: 'resolve'; readonly paymentIntent: string; readonly note: string }
  | ({ readonly type: 'fail_attribution'; readonly paymentIntent: string; readonly refusal: ErrorCode } & Asked)
  | ({ readonly type: 'set_aside' } & TransferSetAside['data'])
  | { readonly type: 'reopen'; readonly reason: string }
  /** The transfer left the block, and no payment has a claim on it. */
  | { readonly type: 'reorg_out'; readonly blockHash: string }
  /** The payment has lost the transfer, which stood in the block named. */
  | ({ readonly type: 'let_go'; readonly paymentIntent: string; readonly blockHash: string } & Asked);

/**
 * Whether the payment was read after the transfer, and no longer has the transfer. Only then does a committed claim
 * end: a payment that has the transfer may count it by its commitment.
 */
type Asked = { readonly isDropped: boolean };

type Command<T extends TransferCommand['type']> = Extract<TransferCommand, { readonly type: T }>;
type Decision = readonly TransferEvent[];

/**
 * The stream's id. The ordinal is the log's place within its receipt: the block-wide index moves in a reorganisation.
 */
export function transferStreamId({ network, txHash, ordinal }: TransferKey): string {
  return `${network}:${txHash}:${ordinal}`;
}

/** The key from which `transferStreamId` made the id. */
export function transferKeyOf(streamId: string): TransferKey {
  const [network = '', txHash = '', ordinal = ''] = streamId.split(':');
  invariant(isNetworkId(network) && /^\d+$/.test(ordinal), `not a transfer's stream: ${streamId}`);
  return { network, txHash, ordinal: Number(ordinal) };
}

/** `tr_…`, as the API shows the id. */
export function transferId({ network, txHash, ordinal }: TransferKey): string {
  return derivedId('tr', [network, txHash, ordinal]);
}

function decide(command: TransferCommand, state: Transfer, context: DecisionContext): Decision {
  switch (command.type) {
    case 'see':
      if (command.isJudged && isInferredForAnother(state, command.seen, command.claim))
        return endOfInference(command.seen, state);
      return decideSighting(command.seen, state, matched(command.claim), command.claim);
    case 'infer':
      return decideInference(command, state);
    case 'queue': {
      const { seen, candidate, reason } = command;
      const queued = { type: 'TransferUnmatched', data: { reason, candidate } } as const;
      return decideSighting(seen, state, queued, null);
    }
    case 'turn_away': {
      const { seen, paymentIntent } = command;
      if (command.isJudged && isInferredForAnother(state, seen, paymentIntent)) return endOfInference(seen, state);
      // A sighting before this one may be the payment's own, which the payment still follows.
      return decideSighting(
        seen,
        state,
        state.status === 'none' ? turnedAway(paymentIntent) : matched(paymentIntent),
        paymentIntent,
      );
    }
    case 'claim':
      return decideClaim(command, state);
    case 'commit':
      return decideCommitment(command, state);
    case 'unmatch':
      // A claim that another one has replaced since needs no event.
      if (state.status !== 'claimed' || !mayEnd(state, command)) return [];
      return [turnedAway(command.paymentIntent)];
    case 'rank_candidates':
      if (state.status !== 'unmatched' || state.rankings >= RANKINGS_LIMIT) return [];
      if (canonicalJson(state.candidates) === canonicalJson(command.candidates)) return [];
      return [{ type: 'CandidatesRanked', data: { candidates: command.candidates } }];
    case 'resolve':
      return decideResolution(command, state, context);
    case 'fail_attribution':
      if (state.status !== 'resolved' || !mayEnd(state, command)) return [];
      return [{ type: 'AttributionFailed', data: { payment_intent: command.paymentIntent, refusal: command.refusal } }];
    case 'set_aside':
      return decideSettingAside(command, state, context);
    case 'reopen':
      return decideReopening(command, state, context);
    case 'reorg_out':
      if (!isKnown(state) || state.claim !== null || state.seen.block_hash !== command.blockHash) return [];
      return [{ type: 'TransferReorgedOut', data: { block_hash: command.blockHash } }];
    case 'let_go':
      return decideRelease(command, state);
    default:
      return unreachable(command);
  }
}

function turnedAway(paymentIntent: string): TransferEvent {
  return { type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: paymentIntent } };
}

function decideClaim({ paymentIntent, seen }: Command<'claim'>, state: Transfer): Decision {
  if (!isKnown(state)) throw refuse('unmatched_transfer_not_found');
  // A naming is more than an inference: it settles the payment as any other one does.
  const isInferred = state.evidence !== null && state.status === 'claimed';
  if (state.claim !== null && !(isInferred && state.claim === paymentIntent)) {
    if (state.claim === paymentIntent) return [];
    throw refuse('attribution_already_exists');
  }
  if (state.status !== 'unmatched' && !isInferred) throw refuse('unmatched_transfer_already_resolved');
  // A reorganisation may have given the transfer another value, or time, since its payment was judged.
  if (!isSameSighting(state.seen, seen)) throw changedSince();
  return [matched(paymentIntent)];
}

/**
 * The one gate of every count. Throws Refusal attribution_already_exists, or invalid_state_transition where the
 * transfer has another status.
 */
function decideCommitment({ paymentIntent, blockHash }: Command<'commit'>, state: Transfer): Decision {
  const claim = state.status === 'none' ? null : state.claim;
  if (claim !== null && claim !== paymentIntent) throw refuse('attribution_already_exists');
  if (!isClaimedIn(state, paymentIntent, blockHash)) throw refuse('invalid_state_transition');
  return state.committedIn === blockHash
    ? []
    : [{ type: 'TransferCommitted', data: { payment_intent: paymentIntent, block_hash: blockHash } }];
}

/** Whether the transfer stands in this block, and its claim is the payment's: only such a claim can be committed. */
export function isClaimedIn(state: Transfer, paymentIntent: string, blockHash: string): state is KnownTransfer {
  const hasHolder = state.status === 'claimed' || state.status === 'resolved';
  const stands = hasHolder && state.claim === paymentIntent && state.seen.block_hash === blockHash;
  return stands && !isUnjudgedIn(state, blockHash);
}

/**
 * Whether an inference that confirms its payment by itself was made in another block than this one. A claim at a shared
 * wallet leads to its merchant's review, and waits for nothing.
 */
function isUnjudgedIn({ evidence, committedIn }: KnownTransfer, blockHash: string): boolean {
  return evidence?.is_dedicated === true && committedIn === null && evidence.block_hash !== blockHash;
}

/**
 * Whether `paymentIntent` can end the claim; a committed claim ends only where its payment has dropped the transfer.
 */
function mayEnd(
  state: KnownTransfer,
  { paymentIntent, isDropped }: { readonly paymentIntent: string } & Asked,
): boolean {
  return state.claim === paymentIntent && (isDropped || state.committedIn === null);
}

function decideRelease(command: Command<'let_go'>, state: Transfer): Decision {
  if (!isKnown(state) || !mayEnd(state, command)) return [];
  // Where the same money stands in another block, its credit is still to be tried.
  if (state.status !== 'seen' && state.seen.block_hash !== command.blockHash) return [];
  return [{ type: 'TransferReorgedOut', data: { block_hash: command.blockHash } }];
}

/**
 * The transfer in the queue, for a decision by somebody of these roles. A transfer that never lacked a payment is not
 * in the queue.
 */
function inQueue(state: Transfer, { actor }: DecisionContext, roles: readonly ActorRole[] = ['admin']): KnownTransfer {
  if (state.status === 'none' || !state.queued || state.status === 'reorged_out')
    throw refuse('unmatched_transfer_not_found');
  if (!roles.includes(actor.role)) throw refuse('forbidden_actor');
  return state;
}

function decideResolution(
  { paymentIntent, note }: Command<'resolve'>,
  state: Transfer,
  context: DecisionContext,
): Decision {
  const { status } = inQueue(state, context);
  if (status !== 'unmatched') throw refuse('unmatched_transfer_already_resolved');
  return [{ type: 'TransferResolved', data: { payment_intent: paymentIntent, note: checkedDecisionNote(note) } }];
}

/** The merchant answers for its own address: the caller has proved that. */
function decideSettingAside(
  { outcome, note }: Command<'set_aside'>,
  state: Transfer,
  context: DecisionContext,
): Decision {
  if (!awaitsDecision(inQueue(state, context, ['merchant', 'admin'])))
    throw refuse('unmatched_transfer_already_resolved');
  return [{ type: 'TransferSetAside', data: { outcome, note: checkedDecisionNote(note) } }];
}

function decideReopening({ reason }: Command<'reopen'>, state: Transfer, context: DecisionContext): Decision {
  const { status } = inQueue(state, context);
  if (status !== 'attribution_failed' && status !== 'set_aside') throw refuse('unmatched_transfer_not_resolved');
  return [{ type: 'TransferReopened', data: { reason: checkedReason(reason) } }];
}

export const transfers: Aggregate<Transfer, TransferCommand, TransferEvent> = {
  category: 'transfer',
  notFound: null,
  upcasts: transferUpcasts,
  initial: { status: 'none' },
  decide,
  evolve,
};
