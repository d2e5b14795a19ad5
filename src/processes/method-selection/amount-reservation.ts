import { isoTime, parseIsoTime } from '../../kernel/clock';
import { withCommand, type CommandContext } from '../../kernel/command-context';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { Token } from '../../vocabulary/tokens';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { amountGridId, amountSlotId, amountSlots } from '../../modules/amount-slots/amount-slot.decider';
import { amountOfSlot, gridWindow, lookedAtPart, seededRanks, seededSlots } from '../../modules/quotes/amount-grid';
import { AmountIndex } from './amount-index';

/** By then the index has taken the reservations that it did not contain. */
const INDEX_RETRY_SECONDS = 1;

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
 * Reserves a globally unique amount at or above a price: the slot stream's expected revision decides who has it. The
 * first try follows from the command id alone, since most amounts of a price are free. Where that amount is taken, the
 * index names others.
 */
export class AmountReservation {
  private readonly index: AmountIndex;

  constructor(
    private readonly writes: WritePath,
    readModels: ReadModels,
  ) {
    this.index = new AmountIndex(readModels);
  }

  /**
   * Throws Refusal reservation_capacity_exhausted where no amount near the price is free. Throws Refusal
   * provider_unavailable where the index called more amounts free than were tried, and all tries were refused.
   */
  async reserve(request: ReservationRequest, context: CommandContext): Promise<ReservedAmount> {
    const { token, address, priceBaseUnits, paymentIntent } = request;
    const { commandId, universe } = context;
    const window = gridWindow(token, priceBaseUnits);
    const [first, ...others] = seededSlots(window, commandId);
    const atOnce = first === undefined ? null : await this.reserveOneOf([first], request, context);
    if (atOnce !== null) return atOnce;
    const grid = amountGridId(token.network, address, token.id);
    // A command that may have run before looks for its own reservation first, so that no second amount is taken.
    const own = context.isFirstTry === true ? [] : await this.index.heldSlots(universe, grid, paymentIntent);
    const held = own.filter(slot => slot >= window.first && slot < window.first + BigInt(window.count));
    const free = await this.index.freeSlots(universe, grid, lookedAtPart(window, commandId));
    const chosen = free === null ? others : seededRanks(free.count, commandId).map(rank => free.at(rank));
    const reserved = await this.reserveOneOf([...held, ...chosen], request, context);
    if (reserved !== null) return reserved;
    if (free !== null && free.count === chosen.length) throw refuse('reservation_capacity_exhausted');
    throw refuse('provider_unavailable', {
      message: 'The index of free amounts is behind; try again shortly.',
      retryAfterSeconds: INDEX_RETRY_SECONDS,
    });
  }

  /** The first of these slots that the command gets, or that an earlier run of it got. */
  private async reserveOneOf(
    slots: readonly bigint[],
    request: ReservationRequest,
    context: CommandContext,
  ): Promise<ReservedAmount | null> {
    for (const slot of slots) {
      try {
        const reserved = await this.reserveSlot(slot, request, context);
        if (reserved !== null) return reserved;
      } catch (error) {
        if (!isRefusal(error, 'reservation_capacity_exhausted')) throw error;
      }
    }
    return null;
  }

  /**
   * Null where an earlier run of the command reserved the slot, and gave the reservation back or for too short a time.
   * Throws Refusal reservation_capacity_exhausted where the slot is taken.
   */
  private async reserveSlot(
    slot: bigint,
    request: ReservationRequest,
    context: CommandContext,
  ): Promise<ReservedAmount | null> {
    const { token, address, paymentIntent, priceBaseUnits, purpose } = request;
    const slotId = amountSlotId(token.network, address, token.id, slot);
    const reservation = {
      payment_intent: paymentIntent,
      merchant_id: request.merchantId,
      wallet_id: request.walletId,
      amount_base_units: amountOfSlot(token, slot).toString(),
      price_base_units: priceBaseUnits.toString(),
      reserved_until: isoTime(request.reservedUntilMs),
      purpose,
    };
    const { state } = await this.writes.execute(amountSlots, slotId, { type: 'reserve', reservation }, context);
    const last = state.reservations.at(-1);
    if (last?.payment_intent !== paymentIntent || last.released !== null) return null;
    const reservedUntilMs = parseIsoTime(last.reserved_until);
    if (reservedUntilMs < request.reservedUntilMs - request.olderByMs) return null;
    return { slotId, slot, amountBaseUnits: BigInt(last.amount_base_units), reservedUntilMs };
  }

  /** Releases an amount that nobody was shown: it is free again at once. */
  async releaseUnused(reserved: ReservedAmount, paymentIntent: string, context: CommandContext): Promise<void> {
    const command = { type: 'release', paymentIntent, reason: 'unused' } as const;
    await this.writes.execute(amountSlots, reserved.slotId, command, withCommand(context, 'release'));
  }
}
