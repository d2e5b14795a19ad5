import { parseIsoTime } from '../../kernel/clock';
import type { Mode, RecordedEvent } from '../../kernel/event';
import type { Chain } from '../../kernel/ports/chain';
import type { NetworkId } from '../../kernel/tokens';
import type { PaymentIntent, QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { transferId } from '../../modules/transfers/transfer.decider';
import type { UnmatchedFacts } from '../../modules/transfers/candidate-evidence';
import type { TransferEvent, TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';

/** A chain as this deployment watches it. */
export type Watched = {
  readonly chain: Chain;
  /** Transfers count from when they are first seen. */ readonly sandbox: boolean;
};

/** Null for a network that nobody watches in this mode. */
export type WatchedChains = (mode: Mode, network: NetworkId) => Watched | null;

/**
 * When a transfer was paid, by the wall's clock: its block's time, on a sandbox chain that of its first sight. Null for
 * one that was never seen.
 */
export function paidAtMs(history: readonly RecordedEvent<TransferEvent>[], isSandbox: boolean): number | null {
  const isSighting = (event: RecordedEvent<TransferEvent>): event is RecordedEvent<TransferSeen> =>
    event.type === 'TransferSeen';
  if (isSandbox) {
    const first = history.find(isSighting);
    return first ? parseIsoTime(first.metadata.recorded_at) : null;
  }
  const last = history.findLast(isSighting);
  return last ? parseIsoTime(last.data.block_time) : null;
}

/** How far a chain's clock may run behind the service's before a payer's transfer seems older, or later, than it is. */
export const CLOCK_SKEW_MS = 120_000;

/**
 * Whether what was paid then, by the clock of the payment's merchant, is too late for a quote that nobody has ended
 * yet.
 */
export function isAfterQuote(state: PaymentIntent, paidAt: number): boolean {
  return state.status === 'awaiting_payment' && paidAt > parseIsoTime(state.quote.quote_expires_at) + CLOCK_SKEW_MS;
}

/** Whether what was paid then is older than the quote, by more than the clocks may be apart. */
export function isBeforeQuote({ quote }: QuotedPaymentIntent, paidAt: number): boolean {
  return paidAt < parseIsoTime(quote.quoted_at) - CLOCK_SKEW_MS;
}

/** Whether what was paid then is too late to count for a payment that has expired. */
export function isAfterWindow(state: PaymentIntent, paidAt: number): boolean {
  return state.status === 'expired' && paidAt > parseIsoTime(state.quote.reserved_until);
}

export function unmatchedOf(
  key: TransferKey,
  { from, value_base_units }: TransferSeen['data'],
  atMs: number,
): UnmatchedFacts {
  return { transferId: transferId(key), from, valueBaseUnits: BigInt(value_base_units), paidAtMs: atMs };
}
