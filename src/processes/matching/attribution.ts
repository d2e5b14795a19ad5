import { parseIsoTime } from '../../kernel/clock';
import { systemActor, withCommand, type MerchantContext } from '../../kernel/command-context';
import { isRefusal, refuse, type ErrorCode, type Refusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { Loaded } from '../../kernel/loaded';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import { TOKENS } from '../../vocabulary/tokens';
import type { WritePath } from '../../kernel/write-path';
import { amountSlotId } from '../../modules/amount-slots/amount-slot.decider';
import { CLAIM_REFUSALS, claimRefusal } from '../../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';
import {
  receivedBaseUnits,
  remainderBaseUnits,
  unpaidRemainder,
} from '../../modules/payment-intents/payment-intent.outcome';
import type { PaymentIntent, QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { furthestOff, type UnmatchedFacts } from '../../modules/transfers/candidate-evidence';
import { isToItself, transferToItself } from '../../modules/transfers/named-transfer';
import type { ExpectedPayment } from '../../modules/transfers/candidate-ranking';
import type { NamingSide, Doubt } from '../../modules/transfers/naming.events';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferEvent, TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';
import type { Transfer } from '../../modules/transfers/transfer.state';
import type { CandidateSearch } from './candidate-search';
import type { TransferCredit } from './transfer-credit';
import {
  isAfterQuote,
  isAfterWindow,
  isBeforeQuote,
  paidAtMs,
  unmatchedOf,
  type GaplessBelow,
  type WatchedChains,
} from './transfer-moment';

/**
 * Streams as the caller has just read them, which spares their first reading. A payment may have ended since: its
 * credit, which is decided on its own stream, then takes the claim back.
 */
type KnownStreams = {
  readonly payment?: Loaded<PaymentIntent, PaymentIntentEvent>;
  readonly transfer: Loaded<Transfer, TransferEvent>;
};

/** A transfer, by the sighting that is judged, at its moment by the merchant's clock. */
type Asked = {
  readonly key: TransferKey;
  readonly seen: TransferSeen['data'];
  readonly paidAt: number;
  readonly context: MerchantContext;
};

/** A payment for which somebody names a transaction. */
export type NamedPayment = { readonly id: string; readonly merchantId: string };

/**
 * `kept`: the transfer may be another payment's, so that people decide; `reason` says why. `waiting`: the transfer is
 * late, and nobody can say yet that its payment was not paid in time. The payment's own events tell when that is over.
 */
export type Attribution =
  { readonly kind: 'attributed' } | { readonly kind: 'kept'; readonly reason: Doubt } | { readonly kind: 'waiting' };

/** The refusals that speak against the naming itself. */
const OWN_REFUSALS: readonly ErrorCode[] = [
  ...CLAIM_REFUSALS,
  'payment_expired',
  'reservation_not_found',
  'attribution_already_exists',
  'invalid_tx_hash',
  'unmatched_transfer_already_resolved',
];

/**
 * False for an error that says nothing of the naming, such as a lost race or a provider that is away. The naming is
 * then tried again.
 */
export function isNamingsOwn(error: unknown): error is Refusal {
  return isRefusal(error) && OWN_REFUSALS.includes(error.code);
}

/** Gives a recorded transfer to the payment that somebody names for it: claims it first, credits it second. */
export class TransferAttribution {
  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly search: CandidateSearch,
    private readonly credits: TransferCredit,
    private readonly watched: WatchedChains,
    private readonly isGaplessBelow: GaplessBelow,
  ) {}

  /**
   * Throws Refusal attribution_already_exists when another payment has the transfer. Throws Refusal payment_expired
   * when the transfer came after the payment's last moment. Throws Refusal reservation_not_found where a merchant names
   * a transfer from before the quote. Also throws the refusals of the payment's state.
   */
  async attribute(
    payment: NamedPayment,
    key: TransferKey,
    side: NamingSide,
    context: MerchantContext,
    known?: KnownStreams,
  ): Promise<Attribution> {
    const { universe: mode } = context;
    const transfer = known?.transfer ?? (await this.writes.load(transfers, mode, transferStreamId(key)));
    const { unmatched, seen, isInferred } = this.unmatched(mode, key, payment.id, transfer);
    const paidAt = await this.clock.merchantTimeAt(mode, payment.merchantId, unmatched.paidAtMs, context);
    const asked = { key, seen, paidAt, context };
    const state = await this.claimable(payment.id, asked, known?.payment);
    if (state === 'waiting') return { kind: 'waiting' };
    if (isAfterWindow(state, paidAt)) throw lateForPayment();
    // Strangers can read the hash of any deposit: at checkout a naming takes no review from the merchant.
    if (side === 'checkout' && isInferred) return { kind: 'kept', reason: 'inferred_already' };
    // Strangers can read an old hash off the chain and send it to a shop. A naming at checkout is kept for people to
    // look at.
    if (side === 'merchant' && isBeforeQuote(state, paidAt)) throw olderThanQuote();
    const doubt =
      (side === 'checkout' ? untimely(state, paidAt) : null) ??
      (await this.doubt(payment, state, unmatched, side, context));
    if (doubt !== null) return { kind: 'kept', reason: doubt };
    // The claim names the sighting that was judged. Since that sighting was read, the payment's quote may have been
    // ended, and a reorganisation may have moved the transfer.
    const claim = { type: 'claim', paymentIntent: payment.id, seen } as const;
    const own = withCommand(context, 'claim');
    const written = await this.writes.execute(transfers, transferStreamId(key), claim, own, transfer);
    if ((await this.credits.finish(mode, key, { written, clock: context })) === 'credited')
      return { kind: 'attributed' };
    // The transfer moved on between the look and the credit.
    await this.claimable(payment.id, asked);
    throw refuse('invalid_state_transition');
  }

  /**
   * Answers the payment after the end of its quote, where the transfer came after that end. The sweeper may not have
   * come to the payment yet. A transfer after that end was read in its turn.
   */
  private async claimable(
    paymentIntent: string,
    { key, seen, paidAt, context }: Asked,
    known?: KnownStreams['payment'],
  ): Promise<QuotedPaymentIntent | 'waiting'> {
    const sweeper = withCommand(context, 'expire', systemActor('sweeper', 'namings'));
    const { state } = await this.writes.executePlan(
      paymentIntents,
      paymentIntent,
      (_, mayEnd: boolean) => (mayEnd ? { command: { type: 'expire' }, context: sweeper } : null),
      sweeper,
      {
        find: async ({ state: read }) => isAfterQuote(read, paidAt) && this.isRead(context.universe, key, seen, read),
        ...(known && { known }),
      },
    );
    if (isAfterQuote(state, paidAt)) return 'waiting';
    const refusal = claimRefusal(state);
    if (refusal !== null || state.status === 'none' || state.quote === null)
      throw refuse(refusal ?? 'payment_not_quoted');
    return state;
  }

  /**
   * False while a transfer that is not read yet may have paid the payment in time. Such a transfer may be in a block
   * that is set aside, or in one that the scan has not reached. Where a block is read once more when it is agreed on,
   * one provider alone may also have left the transfer out. So the answer is always false there. The sweeper ends the
   * quote as soon as all earlier blocks are covered.
   */
  private async isRead(
    mode: Mode,
    key: TransferKey,
    { block_number: number, block_time: time }: TransferSeen['data'],
    payment: PaymentIntent,
  ): Promise<boolean> {
    if (this.watched(mode, key.network)?.policy.readsForGood !== 'first_sight') return false;
    if (payment.status === 'none' || payment.quote === null) return true;
    const { network_id, address, token_id, slot } = payment.quote;
    const slotId = amountSlotId(network_id, address, token_id, BigInt(slot));
    return this.isGaplessBelow(mode, network_id, { number, timeMs: parseIsoTime(time) }, slotId);
  }

  /**
   * Throws Refusal attribution_already_exists before anything else is asked: a transfer of another payment has no
   * second holder.
   */
  private unmatched(
    mode: Mode,
    key: TransferKey,
    paymentIntent: string,
    { state, history }: Loaded<Transfer, TransferEvent>,
  ) {
    const wallMs = paidAtMs(history, this.watched(mode, key.network));
    if (state.status === 'none' || wallMs === null) throw refuse('unmatched_transfer_not_found');
    if (state.claim !== null && state.claim !== paymentIntent) throw refuse('attribution_already_exists');
    const { seen } = state;
    // An earlier version recorded such transfers.
    if (isToItself(seen)) throw transferToItself(TOKENS[seen.token_id].asset, seen.to);
    const isInferred = state.claim !== null && state.evidence !== null;
    return { unmatched: unmatchedOf(key, seen, wallMs), seen, isInferred };
  }

  /**
   * Says why the transfer may be somebody else's; null where it is taken for this payment's. Strangers can read a hash
   * off the chain. So a transfer that is named at checkout has to fit this payment better than every other one. A
   * merchant decides over its own payments, and not over those of others at the same address.
   */
  private async doubt(
    { id, merchantId }: NamedPayment,
    state: QuotedPaymentIntent,
    unmatched: UnmatchedFacts,
    side: NamingSide,
    context: MerchantContext,
  ): Promise<Doubt | null> {
    const { quote } = state;
    const token = TOKENS[quote.token_id];
    const due = BigInt(quote.due_base_units);
    const remainder = remainderBaseUnits(state, receivedBaseUnits(state));
    const isFarMore = unmatched.valueBaseUnits > due + furthestOff(token, due);
    if (side === 'checkout' && isFarMore) return 'far_more_than_asked';
    const distance = [due, remainder]
      .map(asked =>
        unmatched.valueBaseUnits > asked ? unmatched.valueBaseUnits - asked : asked - unmatched.valueBaseUnits,
      )
      .reduce((nearest, each) => (each < nearest ? each : nearest));
    const place = { mode: context.universe, token, address: quote.address };
    const isOther = (other: ExpectedPayment) =>
      side === 'checkout' ? other.paymentIntent !== id : other.merchantId !== merchantId;
    const isNearer = await this.search.isAnotherNearer(place, unmatched, distance, isOther, context);
    return isNearer ? 'another_is_nearer' : null;
  }
}

function olderThanQuote(): Refusal {
  return refuse('reservation_not_found', { message: 'The transfer is older than the quote of this payment.' });
}

export function lateForPayment(): Refusal {
  return refuse('payment_expired', { message: 'The transfer came after the last moment for this payment.' });
}

/** Says why the transfer's moment speaks against this payment; null where it does not. */
function untimely(payment: QuotedPaymentIntent, paidAt: number): Doubt | null {
  if (paidAt < parseIsoTime(payment.quote.quoted_at)) return 'older_than_quote';
  const until = unpaidRemainder(payment)?.reserved_until;
  if (until === undefined || paidAt <= parseIsoTime(until)) return null;
  return 'after_remainder';
}
