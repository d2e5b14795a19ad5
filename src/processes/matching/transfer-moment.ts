import { parseIsoTime } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import type { BlockHeader, BlockMoment, Chain } from '../../kernel/ports/chain';
import type { NetworkId } from '../../vocabulary/networks';
import type { WatchPolicy } from '../../vocabulary/watch-policy';
import { CLOCK_SKEW_MS } from '../../modules/payment-intents/payment-intent.outcome';
import type { PaymentIntent, QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { transferId } from '../../modules/transfers/transfer.decider';
import type { UnmatchedFacts } from '../../modules/transfers/candidate-evidence';
import type { TransferEvent, TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';

/** A chain as this deployment watches it. */
type Watched = {
  readonly chain: Chain;
  readonly policy: Pick<WatchPolicy, 'paidAt' | 'readsForGood'>;
};

/** Null for a network that nobody watches in this mode. */
export type WatchedChains = (mode: Mode, network: NetworkId) => Watched | null;

/**
 * Whether all transfers that came on the amount slot before the block are known. Null for the slot asks for the blocks
 * alone.
 */
export type GaplessBelow = (
  mode: Mode,
  network: NetworkId,
  block: BlockMoment,
  slotId: string | null,
) => Promise<boolean>;

type History = readonly RecordedEvent<TransferEvent>[];

/**
 * The wall's moment at which a transfer was paid, by the policy of its chain. Where nobody watches the network, the
 * block's time counts. Null for a transfer that was never seen.
 */
export function paidAtMs(history: History, watched: Pick<Watched, 'policy'> | null): number | null {
  if (watched?.policy.paidAt === 'first_sight') return firstSeenMs(history);
  const last = history.findLast(isSighting);
  return last ? parseIsoTime(last.data.block_time) : null;
}

/** Null for a transfer that was never seen. */
export function firstSeenMs(history: History): number | null {
  const first = history.find(isSighting);
  return first ? parseIsoTime(first.metadata.recorded_at) : null;
}

function isSighting(event: RecordedEvent<TransferEvent>): event is RecordedEvent<TransferSeen> {
  return event.type === 'TransferSeen';
}

/** The wall's moment at which a transfer was paid that is first seen at `nowMs`, in this block. */
export function paidNowMs(
  watched: Pick<Watched, 'policy'> | null,
  block: Pick<BlockHeader, 'timeMs'>,
  nowMs: number,
): number {
  return watched?.policy.paidAt === 'first_sight' ? nowMs : block.timeMs;
}

/**
 * Whether a transfer at this moment, by the clock of the payment's merchant, is too late for a quote that is still
 * open.
 */
export function isAfterQuote(state: PaymentIntent, paidAt: number): boolean {
  return state.status === 'awaiting_payment' && paidAt > parseIsoTime(state.quote.quote_expires_at) + CLOCK_SKEW_MS;
}

/** Whether a transfer at this moment is older than the quote, by more than the clocks may be apart. */
export function isBeforeQuote({ quote }: QuotedPaymentIntent, paidAt: number): boolean {
  return paidAt < parseIsoTime(quote.quoted_at) - CLOCK_SKEW_MS;
}

/** Whether a transfer at this moment is too late to count for an expired payment. */
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
