import { unreachable } from '../../kernel/invariant';
import type { InferenceEvidence } from './inference-facts';
import type {
  RankedCandidate,
  TransferEvent,
  TransferSeen,
  TransferSetAside,
  TransferUnmatched,
} from './transfer.events';

/** The facts for which a claim was made. Where a reorganisation brings the same facts back, they are the same money. */
type ClaimedFacts = Pick<TransferSeen['data'], 'token_id' | 'to' | 'from' | 'value_base_units'>;

/** A claim that a reorganisation ended. */
type PastClaim = { readonly paymentIntent: string; readonly facts: ClaimedFacts };

export type KnownTransfer = {
  /** `seen` with a claim: the claim stands, for other facts than the newest ones. */
  readonly status: 'seen' | 'claimed' | 'unmatched' | 'resolved' | 'attribution_failed' | 'set_aside' | 'reorged_out';
  readonly seen: TransferSeen['data'];
  /** The payment intent whose claim or resolution stands; null for none. */
  readonly claim: string | null;
  /** The newest facts for which the claim was made. */
  readonly claimedFacts: ClaimedFacts | null;
  /** Block of the claim's newest commitment; null while its payment may not count the transfer. */
  readonly committedIn: string | null;
  /** The grounds of a claim by inference; null for any other claim, and for none. */
  readonly evidence: InferenceEvidence | null;
  /** The reason of the newest entry in the queue; null before the first one, and for a row that was opened again. */
  readonly queuedFor: TransferUnmatched['data']['reason'] | null;
  readonly remembered: PastClaim | null;
  /** The newest decision that took the transfer out of the queue for no payment; null for none that stands. */
  readonly setAside: TransferSetAside['data'] | null;
  /** The transfer has been in the queue of unmatched transfers, whether or not it is there now. */
  readonly queued: boolean;
  readonly candidates: readonly RankedCandidate[];
  /** Sightings of the transfer, each in another block or with other facts. */
  readonly sightings: number;
  readonly rankings: number;
};

export type Transfer = { readonly status: 'none' } | KnownTransfer;

const NO_CLAIM = { claim: null, claimedFacts: null, committedIn: null, evidence: null } as const;

export function evolve(state: Transfer, event: TransferEvent): Transfer {
  if (state.status === 'none') return event.type === 'TransferSeen' ? firstSeen(event.data) : state;
  return moved(state, event);
}

function firstSeen(seen: TransferSeen['data']): KnownTransfer {
  return {
    status: 'seen',
    seen,
    ...NO_CLAIM,
    queuedFor: null,
    remembered: null,
    setAside: null,
    queued: false,
    candidates: [],
    sightings: 1,
    rankings: 0,
  };
}

function moved(state: KnownTransfer, event: TransferEvent): KnownTransfer {
  switch (event.type) {
    case 'TransferSeen':
      return { ...state, status: 'seen', seen: event.data, candidates: [], sightings: state.sightings + 1 };
    case 'TransferClaimed':
      return {
        ...state,
        ...claimBy(state, event.data.payment_intent),
        evidence: event.data.evidence,
        status: 'claimed',
      };
    case 'TransferCommitted':
      return { ...state, committedIn: event.data.block_hash };
    case 'TransferUnmatched': {
      // A payment that has refused the transfer is not asked again. A payment that had it with other facts may get
      // those back.
      const { reason } = event.data;
      const remembered = reason === 'credit_refused' ? null : state.remembered;
      const queue = { setAside: null, queued: true, queuedFor: reason } as const;
      return { ...state, ...NO_CLAIM, ...queue, status: 'unmatched', remembered };
    }
    case 'CandidatesRanked':
      return { ...state, candidates: event.data.candidates, rankings: state.rankings + 1 };
    case 'TransferResolved':
      return { ...state, ...claimBy(state, event.data.payment_intent), evidence: null, status: 'resolved' };
    case 'AttributionFailed':
      return { ...state, ...NO_CLAIM, status: 'attribution_failed' };
    case 'TransferSetAside':
      return { ...state, status: 'set_aside', remembered: null, setAside: event.data };
    case 'TransferReopened':
      return { ...state, status: 'unmatched', setAside: null, queuedFor: null };
    case 'TransferReorgedOut':
      return { ...state, ...NO_CLAIM, status: 'reorged_out', remembered: pastClaim(state) ?? state.remembered };
    default:
      return unreachable(event);
  }
}

/** A claim of the same payment goes on: its commitment stays, in whichever block the transfer is seen. */
function claimBy({ claim, committedIn, seen }: KnownTransfer, paymentIntent: string) {
  return {
    claim: paymentIntent,
    claimedFacts: factsOf(seen),
    setAside: null,
    committedIn: claim === paymentIntent ? committedIn : null,
    remembered: null,
  };
}

/** A claim by inference is not remembered: the transfer is judged anew where it comes back. */
function pastClaim({ claim: paymentIntent, claimedFacts: facts, evidence }: KnownTransfer): PastClaim | null {
  return paymentIntent !== null && facts !== null && evidence === null ? { paymentIntent, facts } : null;
}

function factsOf({ token_id, to, from, value_base_units }: TransferSeen['data']): ClaimedFacts {
  return { token_id, to, from, value_base_units };
}

/** Whether the transfer waits in the queue for somebody's decision. */
export function awaitsDecision(state: Transfer): state is KnownTransfer {
  return state.status === 'unmatched' || state.status === 'attribution_failed';
}

/**
 * Whether both are the same money for the same reservation. The sender does not count, since a provider may have told
 * it wrongly at first.
 */
export function isForTheSame(one: ClaimedFacts, other: ClaimedFacts): boolean {
  return one.value_base_units === other.value_base_units && one.to === other.to && one.token_id === other.token_id;
}

export function isSameMoney(one: ClaimedFacts, other: ClaimedFacts): boolean {
  return isForTheSame(one, other) && one.from === other.from;
}
