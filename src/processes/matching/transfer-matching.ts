import { BoundedMap } from '../../kernel/bounded-map';
import type { Mode } from '../../vocabulary/modes';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Loaded } from '../../kernel/loaded';
import type { Log } from '../../kernel/ports/log';
import type { SystemCommands } from '../../kernel/system-commands';
import type { WritePath } from '../../kernel/write-path';
import type { Reservation } from '../../modules/amount-slots/amount-slot.decider';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { isClosed } from '../../modules/payment-intents/payment-intent.transfers';
import { isToItself } from '../../modules/transfers/named-transfer';
import { transfers, transferStreamId, type TransferCommand } from '../../modules/transfers/transfer.decider';
import { isOutOfInference, isSameSighting, isToBeJudged } from '../../modules/transfers/transfer.sightings';
import type { QueuedUndecided, TransferEvent, TransferKey } from '../../modules/transfers/transfer.events';
import type { Transfer } from '../../modules/transfers/transfer.state';
import type { Inference } from './inference';
import { JudgementWaits } from './judgement-waits';
import { ReadingLookUps } from './reading-look-ups';
import { askedOf, factsOf, isTooSmall, keyOf, type RequireGapless, type Sighting } from './sighting';
import type { TransferCredit } from './transfer-credit';
import { isAfterQuote } from './transfer-moment';

/** `likely`: an open payment may be meant. `placed`: the transfer needs nothing more. */
export type Precedence = 'reserved' | 'named' | 'likely' | 'other' | 'placed';

/** The place that a transfer gets. `merchantId`: the merchant of its payment; null for a place in the queue. */
type Placing = { readonly command: TransferCommand; readonly merchantId: string | null };

/** The transfer has another value than its holder knows: nobody else can have it until the holder has let go. */
class FormerClaimStands extends Error {
  constructor() {
    super('the claim on the transfer stands for a former value');
    this.name = 'FormerClaimStands';
  }
}

const CLOSED_LIMIT = 10_000;

/**
 * Finds the payment of a transfer, claims the transfer, then credits it. Each step is idempotent: after a kill between
 * two of them the transfer is seen again.
 */
export class TransferMatching {
  /** Payments that take no transfer any more, which never changes. */
  private readonly closed = new BoundedMap<string, true>(CLOSED_LIMIT);
  private readonly commands: SystemCommands;

  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    commands: SystemCommands,
    private readonly credits: TransferCredit,
    private readonly log: Log,
    /** Null for a tool that only puts transfers into the queue. */
    private readonly inference: Inference | null,
  ) {
    this.commands = commands.of('matching');
  }

  /** The transfers of one reading of the chain share these look-ups, and no others do. */
  lookUps(): ReadingLookUps {
    return new ReadingLookUps(this.writes, this.clock);
  }

  /**
   * A transfer that a payment waits for comes first, then a named one, then one that may be credited by inference. The
   * last ones are those that anybody can send.
   */
  async precedence(sighting: Sighting, lookUps: ReadingLookUps): Promise<Precedence> {
    const reservation = await lookUps.reservationFor(sighting);
    if (reservation && !this.closed.has(reservation.payment_intent)) return 'reserved';
    const { mode } = sighting;
    const { state } = await lookUps.transfer(mode, keyOf(sighting));
    // A payment has the transfer, or had it before a reorganisation.
    if (state.status !== 'none' && (state.claim ?? state.remembered) !== null) return 'reserved';
    const isPlaced = state.status === 'unmatched' && isSameSighting(state.seen, factsOf(sighting));
    // A provisional reading has put the transfer into the queue: it is judged in the reading that coverage counts.
    if (isPlaced && (sighting.isProvisional || state.queuedFor !== 'no_reservation')) return 'placed';
    if (await lookUps.isNamed(mode, keyOf(sighting))) return 'named';
    return !sighting.isProvisional && (await this.isLikely(sighting, lookUps)) ? 'likely' : 'other';
  }

  private async isLikely(sighting: Sighting, lookUps: ReadingLookUps): Promise<boolean> {
    const { token, transfer } = sighting;
    if (this.inference === null || isToItself(transfer) || isTooSmall(token, transfer.valueBaseUnits)) return false;
    return this.inference.isLikely(askedOf(sighting), (key, read) => lookUps.once(key, read));
  }

  /**
   * Answers the transfer as it was recorded: for a payment, which is then credited, or as unmatched. Null for dust, and
   * for a transfer from an address to itself: neither is recorded. Null also for a transfer after the end of a quote
   * that must not be ended yet. A transfer in time may then still be found in an earlier block. Throws
   * FormerClaimStands, except for a named or provisional sighting.
   */
  async observe(sighting: Sighting, lookUps = this.lookUps()): Promise<Loaded<Transfer, TransferEvent> | null> {
    const { mode, token, transfer } = sighting;
    if (isToItself(transfer)) return null;
    const reservation = await lookUps.reservationFor(sighting);
    const value = transfer.valueBaseUnits;
    const key = keyOf(sighting);
    const isDust = isTooSmall(token, value);
    if (isDust && !reservation && !sighting.isNamed && !(await this.isMeant(mode, key, value, lookUps))) return null;
    const placing = reservation ? await this.reserved(sighting, reservation) : await this.unreserved(sighting, lookUps);
    if (placing === null) return null;
    const recorded = await this.record(sighting, placing, lookUps);
    // Coverage must not pass it: the payment that the new value meets would expire.
    if (isOutlived(recorded) && !sighting.isNamed && !sighting.isProvisional) throw new FormerClaimStands();
    return recorded;
  }

  /** Null where the transfer has to wait until its payment's quote has been ended. */
  private async reserved(sighting: Sighting, reservation: Reservation): Promise<Placing | null> {
    const { payment_intent: paymentIntent, merchant_id: merchantId } = reservation;
    const sighted = { seen: factsOf(sighting), isJudged: sighting.isProvisional !== true };
    const away: Placing = { command: { type: 'turn_away', ...sighted, paymentIntent }, merchantId };
    if (this.closed.has(paymentIntent)) return away;
    const { state, found: mustWait } = await this.expireBefore(sighting, reservation);
    if (mustWait) return null;
    if (!isClosed(state)) return { command: { type: 'see', ...sighted, claim: paymentIntent }, merchantId };
    this.close(sighting.mode, paymentIntent);
    return away;
  }

  /**
   * A transfer that somebody has named goes by its naming. Null where the transfer may be credited by inference once it
   * is read for good: until then nobody is told that no payment takes it.
   */
  private async unreserved(sighting: Sighting, lookUps: ReadingLookUps): Promise<Placing | null> {
    const { mode, isNamed, isProvisional, requireGaplessOn: requireGapless } = sighting;
    const seen = factsOf(sighting);
    const queued: Placing = { command: { type: 'see', seen, claim: null }, merchantId: null };
    if (requireGapless === undefined) return queued;
    const key = keyOf(sighting);
    const { state } = await lookUps.transfer(mode, key);
    if (isOutOfInference(state, seen)) {
      if (isProvisional) return queued;
      const judging = this.judged(sighting, requireGapless);
      return isNamed ? judging.catch((error: unknown) => unjudged(error, queued)) : judging;
    }
    if (this.inference === null || isNamed || !isToBeJudged(state, seen) || (await lookUps.isNamed(mode, key)))
      return queued;
    if (isProvisional) return state.status === 'none' && (await this.isLikely(sighting, lookUps)) ? null : queued;
    const placing = await this.judged(sighting, requireGapless);
    // The transfer may have waited since the look-ups of its reading.
    return placing.command.type === 'infer' && (await this.lookUps().isNamed(mode, key)) ? queued : placing;
  }

  /** Throws JudgementWaits. */
  private async judged(sighting: Sighting, requireGapless: RequireGapless): Promise<Placing> {
    const seen = factsOf(sighting);
    const credit = (await this.inference?.judge({ ...askedOf(sighting), requireGapless })) ?? null;
    if (credit === null) return { command: { type: 'see', seen, claim: null, isJudged: true }, merchantId: null };
    const { merchantId, ...inferred } = credit;
    return { command: { type: 'infer', seen, ...inferred }, merchantId };
  }

  /** Logs this once for each payment: anybody can send it any number of transfers. */
  private close(mode: Mode, paymentIntent: string): void {
    this.closed.set(paymentIntent, true);
    const facts = { mode, payment_intent: paymentIntent };
    this.log.info(facts, 'a payment takes no more transfers: those that still come to its amount lie in the queue');
  }

  /**
   * Records the transfer as unmatched, without waiting for a decision on the payment that its amount meets. That
   * payment is named as the candidate. Throws FormerClaimStands.
   */
  async queue(sighting: Sighting, reason: QueuedUndecided): Promise<void> {
    if (isToItself(sighting.transfer)) return;
    const lookUps = this.lookUps();
    const reservation = await lookUps.reservationFor(sighting);
    const candidate = reservation?.payment_intent ?? null;
    const command = { type: 'queue', seen: factsOf(sighting), candidate, reason } as const;
    const placing = { command, merchantId: reservation?.merchant_id ?? null };
    if (isOutlived(await this.record(sighting, placing, lookUps))) throw new FormerClaimStands();
  }

  private async record(
    sighting: Sighting,
    { command, merchantId }: Placing,
    lookUps: ReadingLookUps,
  ): Promise<Loaded<Transfer, TransferEvent>> {
    const { mode, cause = null, clock } = sighting;
    const key = keyOf(sighting);
    const known = await lookUps.transfer(mode, key);
    const written = await this.commands.execute(
      transfers,
      transferStreamId(key),
      () => ({ command, actor: 'watcher', merchantId }),
      { mode, cause, known, clock },
    );
    const { state } = written;
    if (state.status === 'claimed' || state.status === 'resolved')
      await this.credits.finish(mode, key, { written, clock });
    return written;
  }

  /**
   * Blocks are read in order: where this one comes after the quote's end, no transfer has paid in time. The sweeper
   * waits for the coverage of that time, and may come to the payment later; the transfer is late all the same. True
   * where the transfer was named, and so came out of that order. Also true where its block, or a block before it, is
   * not agreed on. The transfer then waits, as the sweeper does.
   */
  private async expireBefore(
    { mode, paidAtMs, isNamed, isProvisional, requireGapless, cause = null, clock }: Sighting,
    { payment_intent: id, merchant_id: merchantId }: Reservation,
  ) {
    const paidAt = await this.clock.merchantTimeAt(mode, merchantId, paidAtMs, clock);
    return this.commands.execute(
      paymentIntents,
      id,
      ({ state }, mustWait: boolean) =>
        isAfterQuote(state, paidAt) && !mustWait ? { command: { type: 'expire' }, actor: 'sweeper' } : null,
      {
        mode,
        cause,
        find: async ({ state }) => {
          if (!isAfterQuote(state, paidAt)) return false;
          if (isNamed || isProvisional) return true;
          await requireGapless?.();
          return false;
        },
      },
    );
  }

  /** The transfer is known already: somebody named it, or named its transaction before it came. */
  private async isMeant(mode: Mode, key: TransferKey, value: bigint, lookUps: ReadingLookUps): Promise<boolean> {
    if (value === 0n) return false;
    const { state } = await lookUps.transfer(mode, key);
    return state.status !== 'none' || lookUps.isNamed(mode, key);
  }
}

/** Whether a former claim stands on the transfer, so that it has no place yet. */
function isOutlived({ state }: Loaded<Transfer, TransferEvent>): boolean {
  return state.status === 'seen' && state.claim !== null;
}

/** The claim stands unjudged until the next look: its payment cannot count the transfer meanwhile. */
function unjudged(error: unknown, queued: Placing): Placing {
  if (error instanceof JudgementWaits) return queued;
  throw error;
}
