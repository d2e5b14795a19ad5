import type { KnownClock } from '../../kernel/merchant-clocks';
import type { Mode } from '../../vocabulary/modes';
import type { DeadlineDocument } from '../../modules/payment-intents/deadlines.read-model';
import type { Occasion, SystemCommands } from '../../kernel/system-commands';
import {
  amountGridId,
  amountSlotId,
  amountSlots,
  type AmountSlot,
  type Reservation,
} from '../../modules/amount-slots/amount-slot.decider';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { hasOpenTransfer } from '../../modules/payment-intents/payment-intent.followed';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';

export type DeadlineActionParts = {
  readonly commands: SystemCommands;
  /** Whether a transfer on the amount slot was read and has not found its place yet. */
  readonly isSlotWaiting: (mode: Mode, slotId: string) => Promise<boolean>;
};

/**
 * Each kind of deadline has its action. The action is decided from the stream, since the document that led here may be
 * older.
 */
export class DeadlineActions {
  /**
   * The actions under way, by the deadline's stream and the clock that decides: every caller that comes meanwhile waits
   * for the same outcome. After a further advance of the clock, the deadline may be due though it was not before.
   */
  private readonly underWay = new Map<string, Promise<void>>();

  private readonly commands: SystemCommands;

  constructor(private readonly parts: DeadlineActionParts) {
    this.commands = parts.commands.of('expiry');
  }

  /** `clock`: the clock of the deadline's merchant, where it is known. */
  meet(stream: string, deadline: DeadlineDocument, clock?: KnownClock): Promise<void> {
    const name = `${stream} ${clock?.clock?.aheadMs ?? ''}`;
    const known = this.underWay.get(name);
    const meeting = known ?? this.act(deadline, clock).finally(() => this.underWay.delete(name));
    this.underWay.set(name, meeting);
    return meeting;
  }

  private act(deadline: DeadlineDocument, clock: KnownClock | undefined): Promise<void> {
    const occasion = { mode: deadline.mode as Mode, cause: null, ...(clock && { clock }) };
    switch (deadline.kind) {
      case 'quote':
        return this.expireQuote(occasion, deadline);
      case 'reservation':
        return this.releaseAmount(occasion, deadline);
    }
  }

  private async expireQuote(occasion: Occasion, { subject }: DeadlineDocument): Promise<void> {
    await this.commands.execute(
      paymentIntents,
      subject,
      ({ state }, isWaiting: boolean) =>
        state.status === 'awaiting_payment' && !isWaiting ? { command: { type: 'expire' }, actor: 'sweeper' } : null,
      {
        ...occasion,
        find: async ({ state }) =>
          state.status === 'awaiting_payment' &&
          this.isAnySlotWaiting(occasion.mode, [...slotsOf(state), ...gridOf(state)]),
      },
    );
  }

  private async releaseAmount(occasion: Occasion, { subject }: DeadlineDocument): Promise<void> {
    await this.commands.execute(
      amountSlots,
      subject,
      ({ state }, isNeeded: boolean) => {
        const last = standingReservation(state);
        if (last === null || isNeeded) return null;
        const { payment_intent: paymentIntent, merchant_id: merchantId } = last;
        const command = { type: 'release', paymentIntent, reason: 'lapsed' } as const;
        return { command, actor: 'sweeper', merchantId };
      },
      { ...occasion, find: ({ state }) => this.isNeeded(occasion.mode, subject, state) },
    );
  }

  /** True while the payment has a transfer short of its depth: that transfer may yet vanish and come again. */
  private async isNeeded(mode: Mode, slotId: string, slot: AmountSlot): Promise<boolean> {
    const last = standingReservation(slot);
    if (last === null) return false;
    // This question comes first: a transfer that finds its place meanwhile is then seen on the payment.
    if (await this.parts.isSlotWaiting(mode, slotId)) return true;
    const { state: payment } = await this.commands.read(paymentIntents, mode, last.payment_intent);
    if (payment.status === 'awaiting_payment' || hasOpenTransfer(payment)) return true;
    return this.isAnySlotWaiting(mode, slotsOf(payment));
  }

  private async isAnySlotWaiting(mode: Mode, slots: readonly string[]): Promise<boolean> {
    for (const slot of new Set(slots)) if (await this.parts.isSlotWaiting(mode, slot)) return true;
    return false;
  }
}

/** The newest reservation, where nobody has given it back. */
function standingReservation({ reservations }: AmountSlot): Reservation | null {
  const last = reservations.at(-1);
  return last?.released === null ? last : null;
}

/** A transfer that may be credited by inference, to a payment which is not known yet, waits on the whole grid. */
function gridOf(state: PaymentIntent): readonly string[] {
  if (state.status === 'none' || state.quote === null) return [];
  return [amountGridId(state.quote.network_id, state.quote.address, state.quote.token_id)];
}

/** The slots on which a transfer would be the payment's: the quote's slot and the remainder's. */
function slotsOf(state: PaymentIntent): readonly string[] {
  if (state.status === 'none' || state.quote === null) return [];
  const { network_id, address, token_id, slot } = state.quote;
  const slots = [slot, ...(state.ledger.remainder ? [state.ledger.remainder.slot] : [])];
  return slots.map(each => amountSlotId(network_id, address, token_id, BigInt(each)));
}
