import { BoundedMap } from '../kernel/bounded-map';
import type { Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { Log } from '../kernel/ports/log';
import type { Screening, ScreeningVerdict } from '../kernel/ports/screening';
import type { SystemCommands, SystemPlanned } from '../kernel/system-commands';
import { paymentIntents } from '../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentCommand, ReservedRemainder } from '../modules/payment-intents/payment-intent.commands';
import { hasOpenTransfer } from '../modules/payment-intents/payment-intent.followed';
import { isHeld, unheldRisks } from '../modules/payment-intents/payment-intent.holds';
import {
  inferredAtShared,
  isMerchantsToConfirm,
  receivedBaseUnits,
} from '../modules/payment-intents/payment-intent.outcome';
import { allows } from '../modules/payment-intents/payment-intent.permit';
import { paidWithoutInferredAtShared } from '../modules/payment-intents/payment-intent.settlement';
import type {
  LedgerTransfer,
  PaymentIntent,
  QuotedPaymentIntent,
} from '../modules/payment-intents/payment-intent.state';
import type { AmountReservation } from './method-selection/amount-reservation';
import type { PayerVelocity } from './payer-velocity';
import { RemainderReservation } from './remainder-reservation';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** A screening that fails after so long would cost the next payment the same time. */
const SLOW_MS = 1_000;
/** Payments whose next try is remembered; the oldest is forgotten first, and may be tried at once. */
const WAITING_LIMIT = 10_000;
/**
 * After a slow screening, no other payment of the network is screened for so long. Blocks are scanned between payments,
 * and must not wait for each of them.
 */
const SCREENING_PAUSE_MS = 10_000;

type Payment = { readonly mode: Mode; readonly id: string; readonly merchantId: string };

/**
 * Brings a payment whose transfers are final to its outcome: screens each payer, then settles. While a payer's
 * screening does not answer, the payment waits, and is tried again with growing pauses.
 */
export class Settlement {
  private readonly waiting = new BoundedMap<string, { readonly untilMs: number; readonly pauseMs: number }>(
    WAITING_LIMIT,
  );
  /** The moments until which a network's screening is not asked. */
  private readonly pausedUntil = new Map<string, number>();

  private readonly commands: SystemCommands;
  private readonly screenings: SystemCommands;
  private readonly remainders: RemainderReservation;

  constructor(
    commands: SystemCommands,
    private readonly screening: Screening,
    reservations: AmountReservation,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly payers: Pick<PayerVelocity, 'isOver'> | null = null,
  ) {
    this.commands = commands.of('settlement');
    this.screenings = commands.of('screening');
    this.remainders = new RemainderReservation(this.commands, reservations, clock, log);
  }

  /**
   * Safe to call at any time and any number of times. `finalTransfer` is a transfer of a payment that is underpaid,
   * expired or paid late. Its claim is committed in the block where the transfer is final now.
   */
  async advance(
    payment: Payment,
    state: QuotedPaymentIntent,
    finalTransfer: LedgerTransfer | null = null,
  ): Promise<void> {
    if (this.isWaiting(payment.id, state)) return;
    // Where the payment is paid without them, the payers of transfers inferred at a shared wallet are not needed.
    const paid = paidWithoutInferredAtShared(state, finalTransfer?.transfer_id) ?? state;
    if (!(await this.screenPayers(payment, state, payersOf(paid)))) return;
    const { state: screened } = await this.commands.read(paymentIntents, payment.mode, payment.id);
    if (screened.status === 'none' || screened.quote === null || isHeld(screened)) return;
    await this.credit(payment, screened, finalTransfer);
  }

  /**
   * Looks at payers before their transfers are final, so that a high risk is held early. Safe to call any number of
   * times, as `advance` is.
   */
  async screenEarly(payment: Payment, state: QuotedPaymentIntent): Promise<void> {
    if (this.isWaiting(payment.id, state)) return;
    const isNew = (payer: string): boolean => state.ledger.screened[payer] === undefined;
    // The payer of an inferred transfer may have nothing to do with the payment.
    const sure = payersOf(state, inferredAtShared(state));
    await this.screenPayers(payment, state, sure.filter(isNew));
  }

  /**
   * The payment may have lost a transfer that counted, or no amount was free. A customer who paid the smaller amount
   * asked for before has still paid a part.
   */
  async askForRemainder(payment: Payment, state: QuotedPaymentIntent): Promise<void> {
    const reserved = await this.remainders.reserve(payment, state, receivedBaseUnits(state));
    if (!reserved?.remainder) return;
    const command = { type: 'ask_remainder', reserved } as const;
    await this.commands.execute(
      paymentIntents,
      payment.id,
      ({ state: newest }) => (allows(newest, 'ask_remainder') ? { command, actor: 'watcher' } : null),
      { mode: payment.mode, cause: null },
    );
  }

  /**
   * Late money is held in its review, not before. A death between a payer's screening and the hold leaves the hold to
   * be placed here.
   */
  async holdRisks(payment: Payment, state: QuotedPaymentIntent): Promise<void> {
    for (const payer of unheldRisks(state)) await this.placeHold(payment, payer);
  }

  /** True for a payment that is held, or between two tries of a screening: nothing can be done for it now. */
  isWaiting(id: string, state: QuotedPaymentIntent): boolean {
    return isHeld(state) || (this.waiting.get(id)?.untilMs ?? 0) > this.clock.now();
  }

  private async credit(
    payment: Payment,
    state: QuotedPaymentIntent,
    finalTransfer: LedgerTransfer | null,
  ): Promise<void> {
    const received = receivedWith(state, finalTransfer);
    const reserved = received === null ? null : await this.remainders.reserve(payment, state, received);
    await this.commands.execute(
      paymentIntents,
      payment.id,
      ({ state: newest }) => planOutcome(newest, finalTransfer, reserved),
      { mode: payment.mode, cause: null },
    );
  }

  /**
   * True when every payer has been screened, whatever the verdict; a high-risk one places the hold. A payer who was
   * clear before is looked at again: hours may lie between a transfer and its settlement.
   */
  private async screenPayers(
    payment: Payment,
    state: QuotedPaymentIntent,
    payers: readonly string[],
  ): Promise<boolean> {
    for (const payer of payers) {
      const known = state.ledger.screened[payer];
      const isDecided = known === 'high_risk' || known === 'released';
      const verdict = isDecided ? known : await this.screen(payment, state, payer);
      if (verdict === null) return false;
      if (verdict === 'high_risk') await this.placeHold(payment, payer);
    }
    this.waiting.delete(payment.id);
    return true;
  }

  private async screen(
    payment: Payment,
    state: QuotedPaymentIntent,
    payer: string,
  ): Promise<'clear' | 'high_risk' | null> {
    const screened = await this.verdictOn(payment, state, payer);
    if (screened === null || state.ledger.screened[payer] === screened.verdict) return screened?.verdict ?? null;
    const command = { type: 'screen_payer', payer, ...screened } as const;
    const { state: newest } = await this.screenings.execute(
      paymentIntents,
      payment.id,
      ({ state: found }) => (allows(found, 'screen_payer') ? { command, actor: 'watcher' } : null),
      { mode: payment.mode, cause: null },
    );
    return allows(newest, 'screen_payer') ? screened.verdict : null;
  }

  /** Null while no source answers, whatever the reason: a payment with an unscreened payer is not settled. */
  private async verdictOn(
    payment: Payment,
    state: QuotedPaymentIntent,
    payer: string,
  ): Promise<ScreeningVerdict | null> {
    const { quote } = state;
    const { network_id: network, address: recipient } = quote;
    const place = `${payment.mode} ${network}`;
    const startedAt = this.clock.now();
    if (startedAt < (this.pausedUntil.get(place) ?? 0)) return null;
    try {
      const screened = await this.screening.screen({ mode: payment.mode, network, payer, recipient });
      return await this.limited(payment, state, payer, screened);
    } catch (error) {
      const nowMs = this.clock.now();
      if (nowMs - startedAt >= SLOW_MS) this.pausedUntil.set(place, nowMs + SCREENING_PAUSE_MS);
      const pauseMs = Math.min((this.waiting.get(payment.id)?.pauseMs ?? FIRST_RETRY_MS / 2) * 2, LONGEST_RETRY_MS);
      this.waiting.set(payment.id, { untilMs: nowMs + pauseMs, pauseMs });
      this.log.warn(
        { payment_intent: payment.id, err: error, retry_in_ms: pauseMs },
        'screening did not answer: the payment waits',
      );
      return null;
    }
  }

  /**
   * A payer counts once for each payment, when nothing is known of the payer yet. Each further transfer adds its
   * amount: a payment in two parts is no way past a limit.
   */
  private async limited(
    payment: Payment,
    state: QuotedPaymentIntent,
    payer: string,
    screened: ScreeningVerdict,
  ): Promise<ScreeningVerdict> {
    const isNew = state.ledger.screened[payer] === undefined;
    const hasFurther = Object.values(state.ledger.transfers).filter(({ from }) => from === payer).length > 1;
    if (this.payers === null || screened.verdict !== 'clear' || !(isNew || hasFurther)) return screened;
    const isOver = await this.payers.isOver(payment, state, payer);
    return isOver ? { verdict: 'high_risk', source: 'velocity_limit', reference: 'payer_address' } : screened;
  }

  /** Records nothing where somebody else held, or released, the payer meanwhile. */
  private async placeHold(payment: Payment, payer: string): Promise<void> {
    const command = { type: 'place_hold', payer, source: 'screening', reason: null } as const;
    await this.screenings.execute(
      paymentIntents,
      payment.id,
      ({ state }) =>
        allows(state, 'place_hold') && quotedRisks(state).includes(payer) ? { command, actor: 'compliance' } : null,
      { mode: payment.mode, cause: null },
    );
  }
}

/** The sum that counts once the payment's transfers are deep enough; null where there can be no remainder yet. */
function receivedWith(state: QuotedPaymentIntent, finalTransfer: LedgerTransfer | null): bigint | null {
  if (isMerchantsToConfirm(state)) return null;
  if (state.status === 'confirming') return hasOpenTransfer(state) ? null : receivedBaseUnits(state);
  if (state.status !== 'underpaid' || finalTransfer === null) return null;
  return receivedBaseUnits(state, finalTransfer.transfer_id);
}

/** Null for a payment that is held, or that needs nothing of the transfer. */
function planOutcome(
  state: PaymentIntent,
  finalTransfer: LedgerTransfer | null,
  reserved: ReservedRemainder | null,
): SystemPlanned<PaymentIntentCommand> | null {
  if (state.status === 'none' || state.quote === null || isHeld(state)) return null;
  if (state.status === 'confirming') return { command: { type: 'settle', reserved }, actor: 'watcher' };
  if (finalTransfer === null) return null;
  const { transfer_id: transferId, block_hash: blockHash, sighting } = finalTransfer;
  const committed = { transferId, blockHash, sighting };
  if (state.status === 'underpaid')
    return { command: { type: 'credit_remainder', ...committed, reserved }, actor: 'matcher' };
  return allows(state, 'credit_late') ? { command: { type: 'credit_late', ...committed }, actor: 'matcher' } : null;
}

function quotedRisks(state: PaymentIntent): readonly string[] {
  return state.status === 'none' || state.quote === null ? [] : unheldRisks(state);
}

function payersOf({ ledger }: QuotedPaymentIntent, except: readonly LedgerTransfer[] = []): readonly string[] {
  const asked = Object.values(ledger.transfers).filter(transfer => !except.includes(transfer));
  return [...new Set(asked.map(transfer => transfer.from))];
}
