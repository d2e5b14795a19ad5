import { BoundedMap } from '../kernel/bounded-map';
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS, type Clock } from '../kernel/clock';
import type { Log } from '../kernel/ports/log';
import type { SystemCommands } from '../kernel/system-commands';
import { isRefusal } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import { TOKENS } from '../vocabulary/tokens';
import type { ReservedRemainder } from '../modules/payment-intents/payment-intent.commands';
import { MONITORING_WINDOW_MS } from '../modules/payment-intents/quote-times';
import { outcome, remainderBaseUnits } from '../modules/payment-intents/payment-intent.outcome';
import type { QuotedPaymentIntent } from '../modules/payment-intents/payment-intent.state';
import type { AmountReservation } from './method-selection/amount-reservation';

/**
 * A try that came to nothing may have reserved an amount for the same remainder. Up to this age its reservation is
 * used.
 */
const RESERVED_BEFORE_MS = HOUR_MS;
/** A full window stays full for a while, so looks are rare. */
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** No amount is free, or the index of free amounts is behind. */
const NO_AMOUNT_NOW: readonly string[] = ['reservation_capacity_exhausted', 'provider_unavailable'];
/** Remainders whose next look is remembered; the oldest is forgotten first, and may be looked for at once. */
const PAUSES_LIMIT = 10_000;

type Payment = { readonly mode: Mode; readonly id: string; readonly merchantId: string };

/** Reserves an amount for what a short payment lacks. Where none is free, the next looks wait with growing pauses. */
export class RemainderReservation {
  private readonly pauses = new BoundedMap<string, { readonly untilMs: number; readonly pauseMs: number }>(
    PAUSES_LIMIT,
  );

  constructor(
    private readonly commands: SystemCommands,
    private readonly reservations: AmountReservation,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * The remainder gets an amount of its own, before anybody is asked for it; null where nothing remains. One sum has
   * one amount: a later try finds the slot that is held already.
   */
  async reserve(payment: Payment, state: QuotedPaymentIntent, received: bigint): Promise<ReservedRemainder | null> {
    if (outcome(state, received) !== 'short') return null;
    const commandId = `${payment.id}/remainder/${received}`;
    const none = { receivedBaseUnits: received, remainder: null };
    if ((this.pauses.get(commandId)?.untilMs ?? 0) > this.clock.now()) return none;
    try {
      const remainder = await this.freeAmount(payment, state, received, commandId);
      this.pauses.delete(commandId);
      return { receivedBaseUnits: received, remainder };
    } catch (error) {
      if (!isRefusal(error) || !NO_AMOUNT_NOW.includes(error.code)) throw error;
      this.pause(payment, commandId);
      return none;
    }
  }

  private async freeAmount(payment: Payment, state: QuotedPaymentIntent, received: bigint, commandId: string) {
    const { quote } = state;
    const context = await this.commands.as('watcher', payment.mode, payment.merchantId);
    const reserved = await this.reservations.reserve(
      {
        token: TOKENS[quote.token_id],
        address: quote.address,
        walletId: quote.wallet_id,
        paymentIntent: payment.id,
        merchantId: payment.merchantId,
        priceBaseUnits: remainderBaseUnits(state, received),
        reservedUntilMs: context.now + MONITORING_WINDOW_MS,
        olderByMs: RESERVED_BEFORE_MS,
        purpose: 'remainder',
      },
      { ...context, commandId },
    );
    return {
      due_base_units: reserved.amountBaseUnits.toString(),
      slot: reserved.slot.toString(),
      reserved_until: isoTime(reserved.reservedUntilMs),
    };
  }

  private pause({ mode, id }: Payment, commandId: string): void {
    const pauseMs = Math.min((this.pauses.get(commandId)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
    this.pauses.set(commandId, { untilMs: this.clock.now() + pauseMs, pauseMs });
    this.log.warn(
      { mode, payment_intent: id, retry_in_ms: pauseMs },
      'no amount is free for the remainder: the payment is short, and asks for nothing yet',
    );
  }
}
