import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { WritePath } from '../../kernel/write-path';
import { amountSlotId, amountSlots } from '../../modules/amount-slots/amount-slot.decider';
import type { DeadlineDocument } from '../../modules/payment-intents/deadlines.read-model';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';

export type DeadlineActionParts = {
  readonly writes: WritePath;
  /** Whether a transfer on the amount slot was read and has not found its place yet. */
  readonly isHeld: (mode: Mode, slotId: string) => Promise<boolean>;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
};

/**
 * What each kind of deadline brings about, decided from the stream as it is now: the document that led here may be
 * older.
 */
export class DeadlineActions {
  /** By the deadline's stream: whoever comes while it is under way waits for the same outcome. */
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: DeadlineActionParts) {}

  meet(stream: string, deadline: DeadlineDocument): Promise<void> {
    const known = this.underWay.get(stream);
    const meeting = known ?? this.act(deadline).finally(() => this.underWay.delete(stream));
    this.underWay.set(stream, meeting);
    return meeting;
  }

  private act(deadline: DeadlineDocument): Promise<void> {
    const mode = deadline.mode as Mode;
    switch (deadline.kind) {
      case 'quote':
        return this.expireQuote(mode, deadline);
      case 'reservation':
        return this.releaseAmount(mode, deadline);
    }
  }

  private async expireQuote(mode: Mode, { subject, merchant_id: merchantId }: DeadlineDocument): Promise<void> {
    const { state } = await this.parts.writes.load(paymentIntents, mode, subject);
    if (state.status !== 'awaiting_payment' || (await this.isAnyHeld(mode, slotsOf(state)))) return;
    await this.command(mode, merchantId, context =>
      this.parts.writes.execute(paymentIntents, subject, { type: 'expire' }, context),
    );
  }

  /** Waits until the payment has no transfer short of its depth: that transfer may yet vanish and come again. */
  private async releaseAmount(mode: Mode, { subject }: DeadlineDocument): Promise<void> {
    const { state: slot } = await this.parts.writes.load(amountSlots, mode, subject);
    const last = slot.reservations.at(-1);
    if (!last || last.released !== null) return;
    // Asked first: a transfer that finds its place meanwhile is then seen on the payment.
    if (await this.parts.isHeld(mode, subject)) return;
    const { state: payment } = await this.parts.writes.load(paymentIntents, mode, last.payment_intent);
    const open = payment.status !== 'none' && payment.quote !== null ? Object.values(payment.ledger.transfers) : [];
    if (payment.status === 'awaiting_payment' || open.some(transfer => !transfer.final)) return;
    if (await this.isAnyHeld(mode, slotsOf(payment))) return;
    const release = { type: 'release', paymentIntent: last.payment_intent, reason: 'lapsed' } as const;
    await this.command(mode, last.merchant_id, context =>
      this.parts.writes.execute(amountSlots, subject, release, context),
    );
  }

  private async isAnyHeld(mode: Mode, slots: readonly string[]): Promise<boolean> {
    for (const slot of new Set(slots)) if (await this.parts.isHeld(mode, slot)) return true;
    return false;
  }

  private async command(
    mode: Mode,
    merchantId: string | null,
    send: (context: CommandContext) => Promise<unknown>,
  ): Promise<void> {
    const now = await this.parts.clock.merchantNow(mode, merchantId);
    try {
      await send(systemContext(this.parts.entropy, { actor: 'sweeper', mode, merchantId, now }));
    } catch (error) {
      // Paid, or ended otherwise, between the reading and the decision.
      if (!isRefusal(error, 'invalid_state_transition')) throw error;
    }
  }
}

/** Those on which a transfer would be the payment's: its quote's, and that of what is missing. */
function slotsOf(state: PaymentIntent): readonly string[] {
  if (state.status === 'none' || state.quote === null) return [];
  const { network_id, address, token_id, slot } = state.quote;
  const slots = [slot, ...(state.ledger.remainder ? [state.ledger.remainder.slot] : [])];
  return slots.map(each => amountSlotId(network_id, address, token_id, BigInt(each)));
}
