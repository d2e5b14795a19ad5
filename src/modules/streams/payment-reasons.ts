import { NETWORKS } from '../../vocabulary/networks';
import { TOKENS } from '../../vocabulary/tokens';
import type { AmountSlotEvent } from '../amount-slots/amount-slot.events';
import type { Attribution, DropReason, PaymentIntentEvent } from '../payment-intents/payment-intent.events';
import { money, noted, quoted, spoken, tokens, type Reasons, type Units } from './reason-words';

const ATTRIBUTIONS: Readonly<Record<Attribution | 'unrecorded', string>> = {
  exact: 'Its amount meets the reserved one.',
  claimed: 'A naming or a decision gave it to this payment.',
  inferred: 'Its amount, place and time point to no other payment.',
  unrecorded: 'The log of that time does not tell how it was found.',
};

const DROPS: Readonly<Record<DropReason, string>> = {
  reverted: 'the chain reverted its transaction',
  reorged_out: 'a reorganisation took it off the chain',
  verification_failed: 'its receipt does not bear it out',
  surplus: 'it came after the payment had ended, so it goes to the unmatched queue',
  review_rejected: 'the merchant rejected the payment in review, so it goes to the unmatched queue',
  superseded: 'other transfers have paid the payment, so it goes to the unmatched queue',
};

const received = (
  data: { readonly received_base_units: string; readonly received_minor_units: string },
  units: Units,
): string =>
  `${tokens(data.received_base_units, units)} were received, which is ${money(data.received_minor_units, units)}.`;

export const PAYMENT_REASONS: Reasons<PaymentIntentEvent> = {
  PaymentIntentCreated: ({ amount_minor_units, payment_link, invoice, restarted_from }, units) => {
    const origin = payment_link ?? invoice ?? restarted_from;
    return `A payment of ${money(amount_minor_units, units)} was asked for${origin === null ? '' : `, by ${origin}`}.`;
  },
  MethodSelected: ({ token_id, rate, observations, due_base_units, quote_expires_at, address }, units) =>
    `The customer chose ${TOKENS[token_id].asset} on ${NETWORKS[TOKENS[token_id].network].name}. ` +
    `The rate ${rate} follows from ${observations.length} observations of rate sources. ` +
    `${tokens(due_base_units, units)} to ${address} are reserved, and the price holds until ${quote_expires_at}.`,
  PaymentCanceled: () => 'The payment was canceled before any transfer was seen.',
  QuoteExpired: ({ quote_expires_at }) =>
    `The quote ended at ${quote_expires_at}, and coverage has passed that time without a transfer.`,
  TransferDetected: ({ tx_hash, value_base_units, block_number, from, attribution }, units) =>
    `The watcher saw ${tokens(value_base_units, units)} from ${from} in block ${block_number}, ` +
    `transaction ${tx_hash}. ${ATTRIBUTIONS[attribution]}`,
  TransferDropped: ({ transfer_id, reason }) => `The transfer ${transfer_id} counts no more: ${DROPS[reason]}.`,
  TransferMoved: ({ transfer_id, block_number }) =>
    `A reorganisation put the transfer ${transfer_id} into block ${block_number}. The status stays.`,
  TransferLimitReached: ({ limit }) =>
    `The payment has taken ${limit} transfers, the most that one takes. Later ones go to the unmatched queue.`,
  ConfirmationSeen: ({ transfer_id, head_number }) =>
    `The chain’s head ${head_number} is above the block of the transfer ${transfer_id}: its first confirmation.`,
  PayerScreened: ({ payer, verdict, source, reference }) =>
    `${source} judged the payer ${payer} as ${spoken(verdict)}` +
    `${reference === null ? '' : `, by its reference ${reference}`}.`,
  DepthReached: ({ transfer_id, head_number }) =>
    `At the head ${head_number} the block of the transfer ${transfer_id} is as deep as its finality asks for.`,
  PaymentConfirmed: (data, units) =>
    `All counted transfers are deep enough, and their payers are cleared. ${received(data, units)}`,
  PaymentUnderpaid: (data, units) =>
    `Less than the amount due was received. ${received(data, units)} ` +
    (data.remainder === null
      ? 'Only the merchant can confirm the payment.'
      : `The remainder of ${tokens(data.remainder.due_base_units, units)} is asked for ` +
        `until ${data.remainder.reserved_until}.`),
  PaymentOverpaid: (data, units) =>
    `More than the amount due was received: ${tokens(data.surplus_base_units, units)} too much. ` +
    received(data, units),
  RemainderCredited: (data, units) =>
    `The transfer ${data.transfer_id} paid a part of the remainder. ${received(data, units)}`,
  RemainderReserved: ({ due_base_units, reserved_until }, units) =>
    `From now on ${tokens(due_base_units, units)} complete the payment, until ${reserved_until}.`,
  PaidLate: (data, units) =>
    `The transfer ${data.transfer_id} came after the quote had ended. The merchant decides. ${received(data, units)}`,
  HoldPlaced: ({ payer, source, reason }) =>
    source === 'screening'
      ? `The screening found a high risk in the payer ${payer}, so the payment waits for compliance.`
      : `An administrator holds the payer ${payer}: ${quoted(reason)}.`,
  HoldReleased: ({ proposed_by, approved_by, reason }) =>
    `${proposed_by} proposed the release and ${approved_by} approved it: ${quoted(reason)}.`,
  HoldRejected: ({ proposed_by, approved_by, reason }) =>
    `${proposed_by} proposed the rejection and ${approved_by} approved it: ${quoted(reason)}.`,
  PaymentAccepted: ({ note }) => `The merchant accepted what was received as the whole payment.${noted(note)}`,
  ReviewResolved: ({ resolution, note }) => `The review ended: ${resolution}.${noted(note)}`,
  PaymentFailed: ({ transfer_id, reason }) =>
    `The last transfer ${transfer_id} of the payment is gone: ${DROPS[reason]}.`,
  SettledTransferLost: ({ transfer_id }) =>
    `A reorganisation took the counted transfer ${transfer_id} off the chain after the payment was settled.`,
};

export const SLOT_REASONS: Reasons<AmountSlotEvent> = {
  AmountReserved: ({ payment_intent, amount_base_units, price_base_units, purpose, reserved_until }, units) =>
    `${tokens(amount_base_units, units)} identify the ${purpose} of ${payment_intent}, whose price is ` +
    `${tokens(price_base_units, units)}. No other open payment has this amount until ${reserved_until}.`,
  AmountReleased: ({ payment_intent, reason }) =>
    reason === 'unused'
      ? `${payment_intent} never showed this amount to anybody.`
      : `The time of ${payment_intent} for this amount is over, and coverage has passed its end.`,
};
