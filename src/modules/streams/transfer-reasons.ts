import type { NamingEvent } from '../transfers/naming.events';
import type { TransferEvent, TransferUnmatched } from '../transfers/transfer.events';
import { noted, quoted, spoken, tokens, type Reasons } from './reason-words';

const QUEUED: Readonly<Record<TransferUnmatched['data']['reason'], string>> = {
  no_reservation: 'no reservation was open on its amount at its moment',
  credit_refused: 'the payment could not take it any more',
  too_many_waiting: 'too many transfers of that amount or address wait already',
  given_up: 'an administrator has ended its wait',
};

export const TRANSFER_REASONS: Reasons<TransferEvent> = {
  TransferSeen: ({ from, to, value_base_units, block_number, block_hash }, units) =>
    `The watcher read ${tokens(value_base_units, units)} from ${from} to ${to} in block ${block_number} (${block_hash}).`,
  TransferClaimed: ({ payment_intent, evidence }) =>
    evidence === null
      ? `${payment_intent} has the transfer: its reservation has this amount, or a naming or a decision says so.`
      : `${payment_intent} has the transfer by inference: the amount, place and time point to no other payment.`,
  TransferCommitted: ({ payment_intent, block_hash }) =>
    `${payment_intent} is about to count the transfer in the block ${block_hash}, so no other payment can have it.`,
  TransferUnmatched: ({ reason, candidate }) =>
    `The transfer lies in the queue: ${QUEUED[reason]}.${candidate === null ? '' : ` It may be meant for ${candidate}.`}`,
  CandidatesRanked: ({ candidates }) => {
    const [first] = candidates;
    return first === undefined
      ? 'No payment is a candidate for the transfer.'
      : `${candidates.length} payments may be meant; ${first.payment_intent} is the likeliest.`;
  },
  TransferResolved: ({ payment_intent, note }) =>
    `An administrator gave the transfer to ${payment_intent}.${noted(note)}`,
  AttributionFailed: ({ payment_intent, refusal }) =>
    `${payment_intent} could not take the transfer: it answered ${refusal}.`,
  TransferSetAside: ({ outcome, note }) => `The merchant took the transfer out of the queue: ${outcome}.${noted(note)}`,
  TransferReopened: ({ reason }) => `An administrator put the transfer back into the queue: ${quoted(reason)}.`,
  TransferReorgedOut: ({ block_hash }) =>
    `The transfer has left the block ${block_hash}, or its payment. Its claim is remembered.`,
};

const side = (name: 'merchant' | 'checkout'): string => (name === 'merchant' ? 'The merchant' : 'Somebody at checkout');

export const NAMING_REASONS: Reasons<NamingEvent> = {
  TransactionNamed: ({ payment_intent, side: by, expires_at }) =>
    `${side(by)} says that this transaction pays ${payment_intent}. The transaction is looked for until ${expires_at}.`,
  ExchangeTransferNamed: ({ payment_intent, side: by }) =>
    `${side(by)} filed an exchange’s own number for ${payment_intent}. No chain knows it, so people look into it.`,
  NamingKept: ({ transfer_id, reason }) =>
    `The transfer ${transfer_id} may be another payment’s (${spoken(reason)}), so people decide.`,
  NamingReferred: ({ reason }) => `The chain could not be asked for it (${spoken(reason)}), so people decide.`,
  NamingAttributed: ({ payment_intent, transfer_id }) => `The transfer ${transfer_id} was given to ${payment_intent}.`,
  NamingRefused: ({ payment_intent, refusal }) => `The naming for ${payment_intent} was refused with ${refusal}.`,
};
