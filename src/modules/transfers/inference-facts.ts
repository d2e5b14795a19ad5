import type { LogPosition } from '../../kernel/log-position';
import type { Token } from '../../vocabulary/tokens';
import type { Standing } from '../payment-intents/payment-intent.standing';

/**
 * A payment that asks, or asked, for money on the transfer's address. Each moment is the wall's: a caller takes the
 * shift of the merchant's clock off. A transfer that is judged anew is left out of the facts of its payment.
 */
export type PaymentThere = {
  readonly paymentIntent: string;
  readonly merchantId: string;
  readonly standing: Standing;
  readonly dueBaseUnits: bigint;
  /**
   * The part of the amount due that the transfers have not brought, whether or not it is reserved. Null where no
   * transfer has reached the payment, or nothing is left.
   */
  readonly remainderBaseUnits: bigint | null;
  readonly quotedAtMs: number;
  readonly quoteExpiresAtMs: number;
  /** The last moment at which the amount due, or the remainder, is reserved. */
  readonly reservedUntilMs: number;
  /**
   * The moment at which the payment ceased to wait: the block time of its first transfer, or the cancel's time. Null
   * while its standing is `awaiting`.
   */
  readonly leftAtMs: number | null;
  readonly hasInferredCredit: boolean;
  /** The merchant has declared the quote's wallet as dedicated to this service. */
  readonly isDedicated: boolean;
};

/** The look at the index for which the facts were gathered. */
export type InferenceLook = {
  /** The reading that coverage counts: the blocks before the transfer's, and those of its own, were read whole. */
  readonly isGapless: boolean;
  /** The position up to which the index holds every event. */
  readonly indexPosition: LogPosition;
  /** The log's head, as it was read after the sighting. */
  readonly headPosition: LogPosition;
  /** One of the index reads met its limit, so that payments may be missing. */
  readonly isCrowded: boolean;
};

export type InferenceFacts = {
  readonly token: Token;
  readonly address: string;
  readonly valueBaseUnits: bigint;
  readonly blockTimeMs: number;
  readonly blockHash: string;
  /** How far the merchant's clock is ahead of the wall's; other than 0 in test mode alone. */
  readonly clockAheadMs: number;
  /** The merchants with a verified wallet of this address on the token's network. */
  readonly merchants: readonly string[];
  /** The payments that the reads of `judgeInference` found, each once, in any order. */
  readonly payments: readonly PaymentThere[];
  readonly look: InferenceLook;
};

/** The clause of the rule that does not hold, in the order in which the clauses are asked. */
export const INFERENCE_REFUSALS = [
  'not_gapless', 'index_behind', 'look_crowded', 'not_one_merchant', 'none_awaiting', 'several_awaiting',
  'no_longer_awaiting', 'has_inferred_credit', 'exact_amount', 'below_half', 'not_below_due', 'above_allowance',
  'another_unpaid_in_range', 'another_due_near',
] as const; // prettier-ignore
export type InferenceRefusal = (typeof INFERENCE_REFUSALS)[number];

/** Another payment among the facts, with its distance from the transfer's value. */
export type OtherLookedAt = {
  readonly payment_intent: string;
  readonly due_base_units: string;
  readonly remainder_base_units: string | null;
  readonly distance_base_units: string;
  readonly quoted_at: string;
  /** Null in older events alone, and so are `reserved_until` and `left_at`. */
  readonly quote_expires_at: string | null;
  /** The last moment at which an amount of the payment is reserved. */
  readonly reserved_until: string | null;
  /** The moment at which the payment ceased to wait; null where it waits. */
  readonly left_at: string | null;
  readonly standing: Standing;
};

/** The reasons for an inferred credit, or against it, in a form that an event can hold. */
export type InferenceEvidence = {
  /** Null where the payment was credited. */
  readonly refusal: InferenceRefusal | null;
  readonly address: string;
  /** The payment that is meant; null where the rule came to none. */
  readonly payment_intent: string | null;
  readonly due_base_units: string | null;
  readonly value_base_units: string;
  readonly distance_base_units: string | null;
  readonly quoted_at: string | null;
  /** Null where the rule came to no payment, and in older events. */
  readonly quote_expires_at: string | null;
  readonly block_time: string;
  /** By so much the merchant's clock was ahead of the wall's, whose moments these are. Null in older events alone. */
  readonly clock_ahead_ms: number | null;
  /** The block for which the transfer was judged. */
  readonly block_hash: string;
  readonly is_dedicated: boolean | null;
  readonly index_position: string;
  /** Other reservations of the last 24 hours, and other payments of the last 30 days, among the facts. */
  readonly last_day_count: number;
  readonly last_month_count: number;
  /** The ten nearest of them. */
  readonly others: readonly OtherLookedAt[];
};

export type Inference =
  | { readonly verdict: 'credit'; readonly paymentIntent: string; readonly evidence: InferenceEvidence }
  | { readonly verdict: 'queue'; readonly refusal: InferenceRefusal; readonly evidence: InferenceEvidence };
