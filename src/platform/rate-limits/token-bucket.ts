import { refuse } from '../../vocabulary/errors';

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
/** A bucket holds the tokens of two seconds. */
const BURST_US = 2 * US_PER_SECOND;
/**
 * Tokens that several instances took at once may be owed for seconds. A longer debt was written by a clock that was
 * ahead and has been set back.
 */
const LONGEST_DEBT_US = 30 * US_PER_SECOND;
/** Above it a token would be shorter than ten microseconds, and whole microseconds too coarse. */
export const MAX_PER_SECOND = 100_000;

/** The state of a bucket after a request; seconds are whole, rounded up. */
export type RateState = {
  readonly allowed: boolean;
  /** The greatest number of requests at once: two seconds' worth. */
  readonly limit: number;
  readonly remaining: number;
  /** The time until the bucket is full again. */
  readonly resetSeconds: number;
  /** The time until one more request passes; 0 when it would pass now. */
  readonly retryAfterSeconds: number;
};

/**
 * A token bucket as one number: the moment, in microseconds since 1970, at which it will be full. A taken token moves
 * that moment on by the time that a token takes to come. Tokens that several instances took add up in any order.
 */
export class TokenBucket {
  private readonly tokenUs: number;
  private readonly limit: number;

  /** Throws Refusal invalid_rate_limit unless the rate is a whole number from 1 to 100,000. */
  constructor(perSecond: number) {
    if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAX_PER_SECOND) throw refuse('invalid_rate_limit');
    this.tokenUs = Math.floor(US_PER_SECOND / perSecond);
    this.limit = Math.floor(BURST_US / this.tokenUs);
  }

  /** The moment of being full after `count` further tokens. */
  after(fullAtUs: number, count: number, nowMs: number): number {
    return Math.max(fullAtUs, nowMs * US_PER_MS) + count * this.tokenUs;
  }

  /**
   * The moment of being full as a clock at `nowMs` can know it. A moment too far ahead counts as that of an empty
   * bucket. So a clock that was set back locks nobody out until its former time.
   */
  believed(fullAtUs: number, nowMs: number): number {
    const nowUs = nowMs * US_PER_MS;
    return fullAtUs - nowUs > LONGEST_DEBT_US ? nowUs + BURST_US : fullAtUs;
  }

  stateAt(fullAtUs: number, nowMs: number): RateState {
    const nowUs = nowMs * US_PER_MS;
    const missingUs = Math.max(0, fullAtUs - nowUs);
    const tooMuchUs = missingUs + this.tokenUs - BURST_US;
    return {
      allowed: tooMuchUs <= 0,
      limit: this.limit,
      remaining: Math.max(0, Math.floor((BURST_US - missingUs) / this.tokenUs)),
      resetSeconds: Math.ceil(missingUs / US_PER_SECOND),
      retryAfterSeconds: Math.max(0, Math.ceil(tooMuchUs / US_PER_SECOND)),
    };
  }
}

/** A bucket's document is no longer needed where the bucket was full before this moment. */
export function fullBefore(timeMs: number): number {
  return timeMs * US_PER_MS;
}
