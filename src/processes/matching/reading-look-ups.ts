import { BoundedMap } from '../../kernel/bounded-map';
import type { Mode } from '../../vocabulary/modes';
import type { KnownClock, MerchantClocks } from '../../kernel/merchant-clocks';
import type { ObservedTransfer } from '../../kernel/ports/chain';
import type { Token } from '../../vocabulary/tokens';
import { CLOCK_SKEW_MS } from '../../modules/payment-intents/payment-intent.outcome';
import type { Loaded } from '../../kernel/loaded';
import type { WritePath } from '../../kernel/write-path';
import {
  amountSlotId,
  amountSlots,
  reservationAt,
  type AmountSlot,
  type Reservation,
} from '../../modules/amount-slots/amount-slot.decider';
import { slotOfAmount } from '../../modules/quotes/amount-grid';
import { namingsIdsOf, namings } from '../../modules/transfers/naming.decider';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferEvent, TransferKey } from '../../modules/transfers/transfer.events';
import type { Transfer } from '../../modules/transfers/transfer.state';

type Paid = {
  readonly mode: Mode;
  readonly token: Token;
  readonly transfer: Pick<ObservedTransfer, 'to' | 'valueBaseUnits'>;
  /** Milliseconds by the wall's clock. */
  readonly paidAtMs: number;
  readonly clock?: KnownClock;
};

/** Streams that are remembered; beyond them all are read anew. */
const SHARED_LIMIT = 10_000;

/**
 * Looks up the payments and namings for the transfers of one reading of the chain; each stream is read once. An amount
 * is reserved before it is paid. So its slot, read after the chain, holds the reservation of each of these transfers.
 */
export class ReadingLookUps {
  private readonly shared = new BoundedMap<string, Promise<unknown>>(SHARED_LIMIT);

  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
  ) {}

  /** The reservation that was open as the transfer was paid; null where its amount meets none. */
  async reservationFor({ mode, token, transfer, paidAtMs, clock }: Paid): Promise<Reservation | null> {
    const slot = slotOfAmount(token, transfer.valueBaseUnits);
    if (slot === null) return null;
    const state = await this.slot(mode, amountSlotId(token.network, transfer.to, token.id, slot));
    const merchants = state.reservations.map(reservation => reservation.merchant_id);
    const times = await this.clock.merchantTimesAt(mode, merchants, paidAtMs, clock);
    return reservationAt(state, merchantId => times.get(merchantId) ?? paidAtMs, CLOCK_SKEW_MS);
  }

  /** Whether somebody has named the transfer, or its transaction. */
  async isNamed(mode: Mode, key: TransferKey): Promise<boolean> {
    for (const id of namingsIdsOf(key)) if (await this.hasNamings(mode, id)) return true;
    return false;
  }

  /** The transfer as it stood at the first look. */
  transfer(mode: Mode, key: TransferKey): Promise<Loaded<Transfer, TransferEvent>> {
    const id = transferStreamId(key);
    return this.once(`transfer ${id}`, () => this.writes.load(transfers, mode, id));
  }

  /** Answers what the first one read under the key. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.shared.get(key) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    this.shared.set(key, reading);
    // A transfer may wait long with its look-ups: a failed one is tried again.
    reading.catch(() => this.forget(key, reading));
    return reading;
  }

  private slot(mode: Mode, id: string): Promise<AmountSlot> {
    return this.once(`slot ${id}`, async () => (await this.writes.load(amountSlots, mode, id)).state);
  }

  private hasNamings(mode: Mode, id: string): Promise<boolean> {
    return this.once(`namings ${id}`, async () => (await this.writes.load(namings, mode, id)).revision >= 0);
  }

  private forget(key: string, reading: Promise<unknown>): void {
    if (this.shared.get(key) === reading) this.shared.delete(key);
  }
}
