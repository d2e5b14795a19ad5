import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock';
import { unreachable } from '../../../kernel/invariant';
import { formatUnits } from '../../../vocabulary/money';
import type { Token } from '../../../vocabulary/tokens';
import type { AmountEvidence, CandidateEvidence } from '../transfer.events';
import type { ReviewReason } from '../naming.events';

/** The evidence for a candidate, as one sentence. */
export function evidenceInWords(token: Token, { amount, paid, sender, ...rest }: CandidateEvidence): string {
  const facts = [
    amountInWords(token, amount) + (rest.is_of_remainder ? ' for the remainder' : ''),
    PAID_IN_WORDS[paid.code](span(paid.by_ms)),
    sender === null ? null : SENDER_IN_WORDS[sender],
    rest.standing === null ? null : STANDING_IN_WORDS[rest.standing],
  ];
  return `${facts.filter(fact => fact !== null).join('; ')}.`;
}

/** The reason why people decide on a transaction that was named for a payment. */
export function reviewReasonInWords(reason: ReviewReason): string {
  return REVIEW_IN_WORDS[reason];
}

const PAID_IN_WORDS: Readonly<Record<CandidateEvidence['paid']['code'], (span: string) => string>> = {
  before_quote: span => `paid ${span} before the quote`,
  after_quote: span => `paid ${span} after the quote`,
  after_window: span => `paid ${span} after the last moment for it`,
};

const SENDER_IN_WORDS = {
  payer: 'from the sender of its first transfer',
  known: 'from a sender who has paid this merchant before',
} as const;

const STANDING_IN_WORDS: Readonly<Record<NonNullable<CandidateEvidence['standing']>, string>> = {
  no_reservation: 'which has its amount',
  credit_refused: 'which could not take it any more',
  too_many_waiting: 'for which too many transfers wait',
  given_up: 'for which it has waited',
  paid: 'which a transfer has reached already',
  ended: 'which was canceled or failed',
};

const REVIEW_IN_WORDS: Readonly<Record<ReviewReason, string>> = {
  far_more_than_asked: 'The transfer is far more than was asked for.',
  older_than_quote: 'The transfer is older than the quote.',
  after_remainder: 'The transfer came after the last moment for the remainder.',
  another_is_nearer: 'The amount of another payment is nearer to the transfer.',
  inferred_already: 'The payment has the transfer by inference, and its merchant decides on it.',
  transaction_too_large: 'The transaction is too large to be looked at by itself.',
};

function amountInWords(token: Token, amount: AmountEvidence): string {
  switch (amount.code) {
    case 'exact':
      return 'Exactly the amount asked for';
    case 'fiat_figure':
      return 'The price in the currency of the payment, paid in token units';
    case 'digits_swapped':
      return 'Two neighbouring digits of the amount asked for are swapped';
    case 'reserved':
      return 'Its amount was reserved';
    case 'rounded': {
      const { decimals } = amount;
      const form = decimals === 0 ? 'a whole number' : `${decimals} decimal${decimals === 1 ? '' : 's'}`;
      return `The amount asked for, cut or rounded to ${form}`;
    }
    case 'withdrawal_fee': {
      const fee = formatUnits(BigInt(amount.fee_base_units), token.decimals);
      return `Short by ${fee}, which exchanges take off a withdrawal${amount.is_rounded ? ', and rounded' : ''}`;
    }
    case 'in_parts':
      return `Together with ${amount.other_transfer}, of ${amount.is_same_sender ? 'the same' : 'another'} sender, the amount asked for`;
    case 'short':
      return `Short by ${formatUnits(BigInt(amount.off_base_units), token.decimals)}, as after a small deduction`;
    case 'over':
      return `${formatUnits(BigInt(amount.off_base_units), token.decimals)} more than asked for`;
    default:
      return unreachable(amount);
  }
}

function span(ms: number): string {
  const [count, unit] =
    ms < 2 * MINUTE_MS
      ? [Math.round(ms / SECOND_MS), 'second']
      : ms < 2 * HOUR_MS
        ? [Math.round(ms / MINUTE_MS), 'minute']
        : [Math.round(ms / HOUR_MS), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
