import { refuse, type Refusal } from '../../vocabulary/errors';
import type { InferenceEvidence } from './inference-facts';
import type { TransferEvent, TransferSeen } from './transfer.events';
import { isForTheSame, isSameMoney, type KnownTransfer, type Transfer } from './transfer.state';

type Decision = readonly TransferEvent[];
type Inferred = {
  readonly seen: TransferSeen['data'];
  readonly paymentIntent: string;
  readonly evidence: InferenceEvidence;
};

/**
 * Sightings, each in another block or with other facts: an honest chain moves a transaction a few times at the most.
 */
const SIGHTINGS_LIMIT = 500;

/** The transfer has been seen, and has not left the chain since. */
export function isKnown(state: Transfer): state is KnownTransfer {
  return state.status !== 'none' && state.status !== 'reorged_out';
}

/**
 * `otherwise` is recorded where no claim stands and no former one comes back. `meets` is the payment for which the
 * amount is reserved.
 */
export function decideSighting(
  facts: TransferSeen['data'],
  state: Transfer,
  otherwise: TransferEvent,
  meets: string | null,
): Decision {
  const seen: TransferEvent = { type: 'TransferSeen', data: facts };
  if (state.status === 'none') return [seen, otherwise];
  // A reorganisation may change a transaction's transfers. A provider may also tell a block's facts wrongly at first
  // and rightly later.
  const isOld = isKnown(state) && isSameSighting(state.seen, facts);
  if (isOld || (isKnown(state) && state.sightings >= SIGHTINGS_LIMIT)) return [];
  const { claim, claimedFacts, remembered, setAside } = state;
  // The merchant decided on the money, in whichever block it stands.
  if (setAside !== null && isSameMoney(state.seen, facts)) return [seen, { type: 'TransferSetAside', data: setAside }];
  if (claim === null)
    return [seen, remembered && isSameMoney(remembered.facts, facts) ? matched(remembered.paymentIntent) : otherwise];
  // A standing claim outlives a move to another block. With another value, the transfer waits for its holder, who may
  // have counted the first value.
  const isTheHolders = (claimedFacts !== null && isForTheSame(claimedFacts, facts)) || meets === claim;
  return isTheHolders ? [seen, matched(claim, meets === claim ? null : state.evidence)] : [seen];
}

/** A person's decision stands above an inference, and so does a payment's refusal of the transfer. */
export function decideInference({ seen: facts, paymentIntent, evidence }: Inferred, state: Transfer): Decision {
  const claimed = matched(paymentIntent, evidence);
  if (!isKnown(state)) return decideSighting(facts, state, claimed, null);
  const isOld = isSameSighting(state.seen, facts);
  if (!isOld && state.sightings >= SIGHTINGS_LIMIT) return [];
  if (state.claim === null) {
    if (!isOld) return decideSighting(facts, state, claimed, null);
    return state.status === 'unmatched' && state.queuedFor === 'no_reservation' ? [claimed] : [];
  }
  if (!isOutOfInference(state, facts)) return decideSighting(facts, state, claimed, null);
  if (state.claim !== paymentIntent) return endOfInference(facts, state);
  return isOld ? [claimed] : [{ type: 'TransferSeen', data: facts }, claimed];
}

/** Whether an inference may give the transfer, seen with these facts, to a payment. */
export function isToBeJudged(state: Transfer, facts: TransferSeen['data']): boolean {
  if (!isKnown(state)) return true;
  if (state.claim !== null) return isOutOfInference(state, facts);
  if (!isSameSighting(state.seen, facts)) return state.setAside === null && state.status !== 'attribution_failed';
  return state.status === 'unmatched' && state.queuedFor === 'no_reservation';
}

/** Whether the claim was inferred for the same money in another block than this one: it is judged anew here. */
export function isOutOfInference(state: Transfer, facts: TransferSeen['data']): state is KnownTransfer {
  if (!isKnown(state) || state.evidence === null || state.claimedFacts === null) return false;
  return state.evidence.block_hash !== facts.block_hash && isSameMoney(state.claimedFacts, facts);
}

/**
 * Whether the claim was inferred in another block, and in this one the transfer meets the reservation of another
 * payment, or none. That reservation was made after the transfer came: the transfer lies in the queue.
 */
export function isInferredForAnother(
  state: Transfer,
  facts: TransferSeen['data'],
  meets: string | null,
): state is KnownTransfer {
  return isOutOfInference(state, facts) && state.claim !== meets;
}

/**
 * In its new block, the transfer is no longer that payment's. The payment withdraws it as it finds the claim ended. A
 * committed claim stays: its payment may count the transfer already. A claim at a shared wallet stays too. Its merchant
 * decides, while a payment that lost its only transfer would fail, and whoever pays it exactly would be turned away.
 */
export function endOfInference(facts: TransferSeen['data'], state: KnownTransfer): Decision {
  const isMerchants = state.evidence?.is_dedicated === false;
  if (isMerchants || state.committedIn !== null || state.claim === null)
    return decideSighting(facts, state, matched(null), null);
  const unmatched = matched(null);
  return isSameSighting(state.seen, facts) ? [unmatched] : [{ type: 'TransferSeen', data: facts }, unmatched];
}

/** The refusal for a caller that judged the transfer by another sighting. */
export function changedSince(): Refusal {
  return refuse('provider_unavailable', { message: 'The transfer has changed since it was looked at.' });
}

/** The block's time counts as well, since providers tell it too. */
export function isSameSighting(one: TransferSeen['data'], other: TransferSeen['data']): boolean {
  return one.block_hash === other.block_hash && one.block_time === other.block_time && isSameMoney(one, other);
}

export function matched(paymentIntent: string | null, evidence: InferenceEvidence | null = null): TransferEvent {
  if (paymentIntent !== null) return { type: 'TransferClaimed', data: { payment_intent: paymentIntent, evidence } };
  return { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } };
}
