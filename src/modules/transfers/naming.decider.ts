import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { timeToLive } from '../../vocabulary/durations';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import { unreachable } from '../../kernel/invariant';
import type { NetworkId } from '../../vocabulary/networks';
import { checkedDecisionNote } from '../../vocabulary/reasons';
import type { Aggregate } from '../../kernel/write-path';
import type { TransactionReference } from './transaction-reference';
import type { TransferKey } from './transfer.events';
import type { NamingOutcome, NamingSide, Doubt, ReferralReason, ReviewReason, NamingEvent } from './naming.events';

/** The time for which a naming waits for a transaction that no block holds yet. */
export const NAMING_TTL_MS = timeToLive(DAY_MS);
const EXCHANGE = 'exchange';
/** One payment's filings of one transaction: again after a day, or with another log index. */
const FILINGS_LIMIT = 10;
/** One merchant's filings of one transaction: more of them mean that somebody tries out hashes. */
const MERCHANT_FILINGS_LIMIT = 20;
/**
 * All filings of one transaction. Fifty merchants can use up their limits. With three events a filing, the stream stays
 * below the length that can be read.
 */
const ALL_FILINGS_LIMIT = 1_000;

export type Naming = {
  readonly paymentIntent: string;
  readonly side: NamingSide;
  readonly logIndex: number | null;
  readonly status: 'pending' | 'in_review' | 'attributed' | 'refused';
  /** Null for a transfer that no chain will ever show. */
  readonly expiresAt: string | null;
  readonly transferId: string | null;
  /** The reason why the naming is kept for a decision; null where it is not kept. */
  readonly reason: ReviewReason | null;
  /** The number of times that the naming was filed. */
  readonly filings: number;
};

/** All namings on one transaction, one a payment. */
type Namings = { readonly namings: Readonly<Record<string, Naming>> };

/** `merchantsFilings`: the filings of the reference by the payment's merchant so far. */
type Filing = {
  readonly paymentIntent: string;
  readonly side: NamingSide;
  readonly merchantsFilings: number;
};

/** The word of whoever looked into a naming. */
export type NamingResolution = {
  readonly outcome: NamingOutcome;
  readonly transferId: string | null;
  readonly note: string;
};

export type NamingCommand =
  | ({ readonly type: 'file'; readonly logIndex: number | null } & Filing)
  | ({ readonly type: 'file_exchange_transfer' } & Filing)
  | {
      readonly type: 'keep';
      readonly paymentIntent: string;
      readonly transferId: string;
      readonly reason: Doubt;
    }
  | { readonly type: 'refer'; readonly paymentIntent: string; readonly reason: ReferralReason }
  | { readonly type: 'attribute'; readonly paymentIntent: string; readonly transferId: string }
  | { readonly type: 'refuse'; readonly paymentIntent: string; readonly refusal: ErrorCode }
  | ({ readonly type: 'resolve'; readonly paymentIntent: string } & NamingResolution);

/**
 * The stream of all namings of one reference. Each transfer that is named by its log index has a stream of its own, so
 * that a payment may name several.
 */
export function namingsIdOf(network: NetworkId, reference: TransactionReference, logIndex: number | null): string {
  if (reference.kind === 'exchange_transfer') return `${network}:${EXCHANGE}:${reference.id}`;
  const transaction = `${network}:${reference.txHash}`;
  return logIndex === null ? transaction : `${transaction}:${logIndex}`;
}

/** The text that the namings of a stream name. */
export function referenceOf(namingsId: string): {
  readonly kind: TransactionReference['kind'];
  readonly reference: string;
} {
  const [network = '', second = ''] = namingsId.split(':');
  if (second !== EXCHANGE) return { kind: 'transaction', reference: second };
  return { kind: 'exchange_transfer', reference: namingsId.slice(`${network}:${EXCHANGE}:`.length) };
}

/** The streams whose namings may mean the transfer. */
export function namingsIdsOf({ network, txHash, ordinal }: TransferKey): readonly string[] {
  const reference = { kind: 'transaction', txHash } as const;
  return [null, ordinal].map(logIndex => namingsIdOf(network, reference, logIndex));
}

/** `tc_…`, as the API shows it: one id for a payment and the transaction that it names. */
export function namingIdOf(namingsId: string, paymentIntent: string): string {
  return derivedId('tc', [namingsId, paymentIntent]);
}

/** Whether the naming waits for its transaction at that moment. For a transfer, the moment is its arrival. */
export function isWaiting({ status, expiresAt }: Naming, atMs: number): boolean {
  return status === 'pending' && expiresAt !== null && atMs <= parseIsoTime(expiresAt);
}

function decide(command: NamingCommand, { namings }: Namings, { now }: DecisionContext): readonly NamingEvent[] {
  const { paymentIntent: payment_intent } = command;
  const known = namings[payment_intent];
  switch (command.type) {
    case 'file': {
      const { side, logIndex: log_index } = command;
      // A naming at checkout takes nothing from a naming by the merchant.
      const isSame = known?.logIndex === log_index && (known.side === side || known.side === 'merchant');
      if (known && isSame && (known.status === 'in_review' || isWaiting(known, now))) return [];
      refuseCrowd(namings, command);
      const expires_at = isoTime(now + NAMING_TTL_MS);
      return [{ type: 'TransactionNamed', data: { payment_intent, side, log_index, expires_at } }];
    }
    case 'file_exchange_transfer':
      if (known) return [];
      refuseCrowd(namings, command);
      return [{ type: 'ExchangeTransferNamed', data: { payment_intent, side: command.side } }];
    case 'keep': {
      const { transferId: transfer_id, reason } = command;
      if (known?.status !== 'pending') return [];
      return [{ type: 'NamingKept', data: { payment_intent, transfer_id, reason } }];
    }
    case 'refer':
      if (known?.status !== 'pending') return [];
      return [{ type: 'NamingReferred', data: { payment_intent, reason: command.reason } }];
    case 'attribute': {
      const { transferId: transfer_id } = command;
      if (known?.status !== 'pending' && known?.status !== 'in_review') return [];
      return [{ type: 'NamingAttributed', data: { payment_intent, transfer_id } }];
    }
    case 'refuse':
      if (known?.status !== 'pending') return [];
      return [{ type: 'NamingRefused', data: { payment_intent, refusal: command.refusal } }];
    case 'resolve': {
      const { outcome, transferId: transfer_id, note } = command;
      if (known?.status !== 'in_review')
        throw refuse('invalid_resolution', { message: 'Nobody looks into this claim.' });
      return [
        { type: 'NamingResolved', data: { payment_intent, outcome, transfer_id, note: checkedDecisionNote(note) } },
      ];
    }
    default:
      return unreachable(command);
  }
}

/** A merchant meets its own limit first, so that nobody shuts out another merchant's customers. */
function refuseCrowd(namings: Namings['namings'], { paymentIntent, merchantsFilings }: Filing): void {
  const all = Object.values(namings).reduce((sum, { filings }) => sum + filings, 0);
  const isOwnLimit = (namings[paymentIntent]?.filings ?? 0) >= FILINGS_LIMIT;
  if (!isOwnLimit && merchantsFilings < MERCHANT_FILINGS_LIMIT && all < ALL_FILINGS_LIMIT) return;
  throw refuse('duplicate_transaction', { message: 'This transaction was named as often as it may be.' });
}

/** Whether the event files a naming, by a hash or by an exchange's internal id. */
export function isFiling({ type }: Pick<NamingEvent, 'type'>): boolean {
  return type === 'TransactionNamed' || type === 'ExchangeTransferNamed';
}

/** The payment's naming after the event; undefined where the event changes none. */
function namingAfter(known: Naming | undefined, event: NamingEvent): Naming | undefined {
  const { payment_intent: paymentIntent } = event.data;
  switch (event.type) {
    case 'TransactionNamed': {
      const { side, log_index: logIndex, expires_at: expiresAt } = event.data;
      const facts = { paymentIntent, side, logIndex, expiresAt, transferId: null, reason: null };
      return { ...facts, status: 'pending', filings: (known?.filings ?? 0) + 1 };
    }
    case 'ExchangeTransferNamed': {
      const facts = { paymentIntent, side: event.data.side, logIndex: null, expiresAt: null, transferId: null };
      return { ...facts, status: 'in_review', reason: null, filings: 1 };
    }
    case 'NamingKept': {
      const { transfer_id: transferId, reason } = event.data;
      return known && { ...known, status: 'in_review', transferId, reason };
    }
    case 'NamingReferred':
      return known && { ...known, status: 'in_review', reason: event.data.reason };
    case 'NamingAttributed':
      return known && { ...known, status: 'attributed', transferId: event.data.transfer_id, reason: null };
    case 'NamingRefused':
      return known && { ...known, status: 'refused' };
    case 'NamingResolved': {
      const { outcome: status, transfer_id: transferId } = event.data;
      return known && { ...known, status, transferId, reason: null };
    }
    default:
      return unreachable(event);
  }
}

function evolve({ namings }: Namings, event: NamingEvent): Namings {
  return { namings: withNaming({ ...namings }, event) };
}

function evolveAll(events: readonly NamingEvent[]): Namings {
  return { namings: events.reduce<Record<string, Naming>>(withNaming, {}) };
}

function withNaming(namings: Record<string, Naming>, event: NamingEvent): Record<string, Naming> {
  const { payment_intent: id } = event.data;
  const naming = namingAfter(namings[id], event);
  if (naming) namings[id] = naming;
  return namings;
}

export const namings: Aggregate<Namings, NamingCommand, NamingEvent> = {
  category: 'naming',
  notFound: null,
  initial: { namings: {} },
  decide,
  evolve,
  evolveAll,
};
