import { isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { AmountReserved, AmountSlotEvent } from './amount-slot.events';

/**
 * Reservations that one slot may ever have; after that, its neighbours are chosen. A slot that is reserved anew
 * whenever it is free comes to this limit in three years. That is so for one amount on one address; other slots keep
 * their streams far shorter.
 */
const RESERVATIONS_LIMIT = 1_000;

export type Reservation = AmountReserved['data'] & {
  readonly released: 'unused' | 'lapsed' | null;
};

/** Every reservation that the slot ever had, oldest first; at most the last one is open. */
export type AmountSlot = { readonly reservations: readonly Reservation[] };

export type AmountSlotCommand =
  | { readonly type: 'reserve'; readonly reservation: Omit<AmountReserved['data'], 'reserved_at'> }
  | { readonly type: 'release'; readonly paymentIntent: string; readonly reason: 'unused' | 'lapsed' };

/** The grid of a token's amounts on one address, keyed by the address so that two wallets on it can't collide. */
export function amountGridId(network: string, address: string, tokenId: string): string {
  return `${network}:${address}:${tokenId}`;
}

/** One cell of that grid. */
export function amountSlotId(network: string, address: string, tokenId: string, slot: bigint): string {
  return `${amountGridId(network, address, tokenId)}:${slot}`;
}

function decide(command: AmountSlotCommand, state: AmountSlot, context: DecisionContext): readonly AmountSlotEvent[] {
  const last = state.reservations.at(-1);
  const taken = last !== undefined && last.released === null;
  switch (command.type) {
    case 'reserve':
      if (taken || state.reservations.length >= RESERVATIONS_LIMIT) throw refuse('reservation_capacity_exhausted');
      return [{ type: 'AmountReserved', data: { ...command.reservation, reserved_at: isoTime(context.now) } }];
    case 'release':
      if (!taken || last.payment_intent !== command.paymentIntent) return [];
      if (command.reason === 'lapsed' && context.now < parseIsoTime(last.reserved_until)) return [];
      return [{ type: 'AmountReleased', data: { payment_intent: command.paymentIntent, reason: command.reason } }];
    default:
      return unreachable(command);
  }
}

function evolve(state: AmountSlot, event: AmountSlotEvent): AmountSlot {
  const reservations = [...state.reservations];
  apply(reservations, event);
  return { reservations };
}

/** Folds all events into one list, so that no event copies it. */
function evolveAll(events: readonly AmountSlotEvent[]): AmountSlot {
  const reservations: Reservation[] = [];
  for (const event of events) apply(reservations, event);
  return { reservations };
}

function apply(reservations: Reservation[], event: AmountSlotEvent): void {
  switch (event.type) {
    case 'AmountReserved':
      reservations.push({ ...event.data, released: null });
      return;
    case 'AmountReleased': {
      const last = reservations.pop();
      if (last) reservations.push({ ...last, released: event.data.reason });
      return;
    }
    default:
      return unreachable(event);
  }
}

/**
 * The reservation that a transfer belongs to: the one open at its moment, from `reserved_at` to `reserved_until`. A
 * release since then does not matter. `timeMsBy` gives that moment by the clock of a merchant. Several merchants of
 * test mode can share an address, and each has a clock of its own. A block's time may lag the service's clock, so a
 * reservation also takes a transfer up to `skewMs` before its start. That rule does not hold where another reservation
 * ended as shortly before, since the other payer may be late. Such a transfer is unmatched until somebody decides.
 */
export function reservationAt(
  state: AmountSlot,
  timeMsBy: (merchantId: string) => number,
  skewMs: number,
): Reservation | null {
  const shown = state.reservations.filter(({ released }) => released !== 'unused');
  const during = (
    { merchant_id, reserved_at, reserved_until }: Reservation,
    leadMs: number,
    lagMs: number,
  ): boolean => {
    const timeMs = timeMsBy(merchant_id);
    return timeMs >= parseIsoTime(reserved_at) - leadMs && timeMs <= parseIsoTime(reserved_until) + lagMs;
  };
  const open = shown.find(reservation => during(reservation, 0, 0));
  if (open) return open;
  const [near, other] = shown.filter(reservation => during(reservation, skewMs, skewMs));
  return near && !other && during(near, skewMs, 0) ? near : null;
}

export const amountSlots: Aggregate<AmountSlot, AmountSlotCommand, AmountSlotEvent> = {
  category: 'amount_slot',
  notFound: null,
  initial: { reservations: [] },
  decide,
  evolve,
  evolveAll,
};
