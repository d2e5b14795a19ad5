import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse, type ErrorCode } from '../../kernel/errors';
import { derivedId } from '../../kernel/ids';
import { unreachable } from '../../kernel/invariant';
import type { NetworkId } from '../../kernel/tokens';
import type { Aggregate } from '../../kernel/write-path';
import type { TransactionReference } from './transaction-reference';
import type { TransferKey } from './transfer.events';
import type { ClaimSide, Doubt, ReferralReason, ReviewReason, TransactionClaimEvent } from './transaction-claim.events';

/** How long a claim waits for a transaction that no block holds yet. */
export const CLAIM_TTL_MS = DAY_MS;
/** Payments that may name one transaction: more is somebody trying hashes out. */
const CLAIMS_LIMIT = 20;
/** One payment's filings of one transaction: again after a day, or with another place in it. */
const FILINGS_LIMIT = 10;

export type TransactionClaim = {
  readonly paymentIntent: string;
  readonly side: ClaimSide;
  readonly logIndex: number | null;
  readonly status: 'pending' | 'in_review' | 'attributed' | 'refused';
  /** Null for what no chain will ever show. */
  readonly expiresAt: string | null;
  readonly transferId: string | null;
  /** Why it is kept for a decision; null where it is not. */
  readonly reason: ReviewReason | null;
  /** Times that it was filed. */
  readonly filings: number;
};

/** All claims on one transaction, one a payment. */
export type TransactionClaims = { readonly claims: Readonly<Record<string, TransactionClaim>> };

type Naming = { readonly paymentIntent: string; readonly side: ClaimSide };

export type TransactionClaimCommand =
  | ({ readonly type: 'file'; readonly logIndex: number | null } & Naming)
  | ({ readonly type: 'file_exchange_transfer' } & Naming)
  | {
      readonly type: 'keep';
      readonly paymentIntent: string;
      readonly transferId: string;
      readonly reason: Doubt;
    }
  | { readonly type: 'refer'; readonly paymentIntent: string; readonly reason: ReferralReason }
  | { readonly type: 'attribute'; readonly paymentIntent: string; readonly transferId: string }
  | { readonly type: 'refuse'; readonly paymentIntent: string; readonly refusal: ErrorCode };

/**
 * The stream of all claims on what a reference names. Each transfer that is named by its place in the transaction has a
 * stream of its own, so that a payment may name several.
 */
export function transactionClaimsId(
  network: NetworkId,
  reference: TransactionReference,
  logIndex: number | null,
): string {
  if (reference.kind === 'exchange_transfer') return `${network}:exchange:${reference.id}`;
  const transaction = `${network}:${reference.txHash}`;
  return logIndex === null ? transaction : `${transaction}:${logIndex}`;
}

/** The streams whose claims may mean the transfer. */
export function claimsIdsOf({ network, txHash, ordinal }: TransferKey): readonly string[] {
  const reference = { kind: 'transaction', txHash } as const;
  return [null, ordinal].map(logIndex => transactionClaimsId(network, reference, logIndex));
}

/** `tc_…`, as the API shows it: one for a payment and what it names. */
export function transactionClaimId(claimsId: string, paymentIntent: string): string {
  return derivedId('tc', [claimsId, paymentIntent]);
}

/** Whether the claim waits for its transaction at that moment; of a transfer, the moment counts at which it came. */
export function isWaiting({ status, expiresAt }: TransactionClaim, atMs: number): boolean {
  return status === 'pending' && expiresAt !== null && atMs <= parseIsoTime(expiresAt);
}

function decide(
  command: TransactionClaimCommand,
  { claims }: TransactionClaims,
  { now }: DecisionContext,
): readonly TransactionClaimEvent[] {
  const { paymentIntent: payment_intent } = command;
  const known = claims[payment_intent];
  switch (command.type) {
    case 'file': {
      const { side, logIndex: log_index } = command;
      // What is named at checkout takes nothing from what the merchant has named.
      const isSame = known?.logIndex === log_index && (known.side === side || known.side === 'merchant');
      if (known && isSame && (known.status === 'in_review' || isWaiting(known, now))) return [];
      refuseCrowd(claims, payment_intent);
      const expires_at = isoTime(now + CLAIM_TTL_MS);
      return [{ type: 'TransactionClaimFiled', data: { payment_intent, side, log_index, expires_at } }];
    }
    case 'file_exchange_transfer':
      if (known) return [];
      refuseCrowd(claims, payment_intent);
      return [{ type: 'ExchangeTransferFiled', data: { payment_intent, side: command.side } }];
    case 'keep': {
      const { transferId: transfer_id, reason } = command;
      if (known?.status !== 'pending') return [];
      return [{ type: 'TransactionClaimKept', data: { payment_intent, transfer_id, reason } }];
    }
    case 'refer':
      if (known?.status !== 'pending') return [];
      return [{ type: 'TransactionClaimReferred', data: { payment_intent, reason: command.reason } }];
    case 'attribute': {
      const { transferId: transfer_id } = command;
      if (known?.status !== 'pending' && known?.status !== 'in_review') return [];
      return [{ type: 'TransactionClaimAttributed', data: { payment_intent, transfer_id } }];
    }
    case 'refuse':
      if (known?.status !== 'pending') return [];
      return [{ type: 'TransactionClaimRefused', data: { payment_intent, refusal: command.refusal } }];
    default:
      return unreachable(command);
  }
}

function refuseCrowd(claims: TransactionClaims['claims'], paymentIntent: string): void {
  const own = claims[paymentIntent];
  if (own && own.filings >= FILINGS_LIMIT) throw refuse('duplicate_transaction');
  if (own || Object.keys(claims).length < CLAIMS_LIMIT) return;
  throw refuse('rate_limit', { message: 'Too many payments name this transaction.' });
}

function evolve({ claims }: TransactionClaims, event: TransactionClaimEvent): TransactionClaims {
  const { payment_intent: paymentIntent } = event.data;
  const put = (claim: TransactionClaim): TransactionClaims => ({ claims: { ...claims, [paymentIntent]: claim } });
  const known = claims[paymentIntent];
  switch (event.type) {
    case 'TransactionClaimFiled': {
      const { side, log_index: logIndex, expires_at: expiresAt } = event.data;
      const facts = { paymentIntent, side, logIndex, expiresAt, transferId: null, reason: null };
      return put({ ...facts, status: 'pending', filings: (known?.filings ?? 0) + 1 });
    }
    case 'ExchangeTransferFiled': {
      const facts = { paymentIntent, side: event.data.side, logIndex: null, expiresAt: null, transferId: null };
      return put({ ...facts, status: 'in_review', reason: null, filings: 1 });
    }
    case 'TransactionClaimKept': {
      const { transfer_id: transferId, reason } = event.data;
      return known ? put({ ...known, status: 'in_review', transferId, reason }) : { claims };
    }
    case 'TransactionClaimReferred':
      return known ? put({ ...known, status: 'in_review', reason: event.data.reason }) : { claims };
    case 'TransactionClaimAttributed':
      return known
        ? put({ ...known, status: 'attributed', transferId: event.data.transfer_id, reason: null })
        : { claims };
    case 'TransactionClaimRefused':
      return known ? put({ ...known, status: 'refused' }) : { claims };
    default:
      return unreachable(event);
  }
}

export const transactionClaims: Aggregate<TransactionClaims, TransactionClaimCommand, TransactionClaimEvent> = {
  category: 'transaction_claim',
  notFound: null,
  initial: { claims: {} },
  decide,
  evolve,
};
