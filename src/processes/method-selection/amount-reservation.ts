import { isoTime, parseIsoTime } from '../../kernel/clock';
import { withCommand, type CommandContext } from '../../kernel/command-context';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { Token } from '../../vocabulary/tokens';
import type { WritePath } from '../../kernel/write-path';
import { amountSlotId, amountSlots } from '../../modules/amount-slots/amount-slot.decider';
import { amountOfSlot, slotTries } from '../../modules/quotes/amount-grid';

type ReservationRequest = {
  readonly token: Token;
  readonly address: string;
  readonly walletId: string;
  readonly paymentIntent: string;
  readonly merchantId: string;
  readonly priceBaseUnits: bigint;
  readonly reservedUntilMs: number;
  /** A reservation of the command's earlier run is taken where it ends at most so much before that. */
  readonly olderByMs: number;
  readonly purpose: 'quote' | 'remainder';
};

export type ReservedAmount = {
  readonly slotId: string;
  readonly slot: bigint;
  readonly amountBaseUnits: bigint;
  /** The end of the reservation itself, which may be an earlier run's. */
  readonly reservedUntilMs: number;
};

/**
 * Reserves a globally unique amount at or above a price: the slot stream's expected revision decides who has it. Tries
 * follow from the command id, so a command that is run again after a crash comes to the slot that it already holds.
 */
export class AmountReservation {
  constructor(private readonly writes: WritePath) {}

  /** Throws Refusal reservation_capacity_exhausted when every slot near the price is taken. */
  async reserve(request: ReservationRequest, context: CommandContext): Promise<ReservedAmount> {
    const { token, address, priceBaseUnits } = request;
    for (const slot of slotTries(token, priceBaseUnits, context.commandId)) {
      const slotId = amountSlotId(token.network, address, token.id, slot);
      const amountBaseUnits = amountOfSlot(token, slot);
      const reservation = {
        payment_intent: request.paymentIntent,
        merchant_id: request.merchantId,
        wallet_id: request.walletId,
        amount_base_units: amountBaseUnits.toString(),
        price_base_units: priceBaseUnits.toString(),
        reserved_until: isoTime(request.reservedUntilMs),
        purpose: request.purpose,
      };
      try {
        const { state } = await this.writes.execute(amountSlots, slotId, { type: 'reserve', reservation }, context);
        // A command that runs again may find a reservation of its own that it has given back since.
        const last = state.reservations.at(-1);
        if (last?.payment_intent !== request.paymentIntent || last.released !== null) continue;
        const reservedUntilMs = parseIsoTime(last.reserved_until);
        if (reservedUntilMs < request.reservedUntilMs - request.olderByMs) continue;
        return { slotId, slot, amountBaseUnits: BigInt(last.amount_base_units), reservedUntilMs };
      } catch (error) {
        if (!isRefusal(error, 'reservation_capacity_exhausted')) throw error;
      }
    }
    throw refuse('reservation_capacity_exhausted');
  }

  /** Releases an amount that nobody was shown: it is free again at once. */
  async releaseUnused(reserved: ReservedAmount, paymentIntent: string, context: CommandContext): Promise<void> {
    const command = { type: 'release', paymentIntent, reason: 'unused' } as const;
    await this.writes.execute(amountSlots, reserved.slotId, command, withCommand(context, 'release'));
  }
}
