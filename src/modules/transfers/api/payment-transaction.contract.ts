import { Text } from '../../../platform/http/fields/text-fields';
import { Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  id,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { PAYMENT_INTENT } from '../../payment-intents/api/payment-intent.answer';

/** A limit above the length of any hash, and of the address of any page that shows one. */
const TEXT_LENGTH = 300;
/** A number above that of the logs in any block. */
const MAX_LOG_INDEX = 1_000_000;
const EXAMPLE_HASH = `0x${'5c'.repeat(32)}`;

export class NameTransactionDto {
  @Text({
    min: 1,
    max: TEXT_LENGTH,
    code: 'invalid_tx_hash',
    description:
      "The transaction that paid: 0x and 64 hex characters, on tron 64 without 0x. An exchange's own number is filed for support",
    example: EXAMPLE_HASH,
  })
  tx_hash!: string;

  @Whole({
    presence: 'nullable',
    min: 0,
    max: MAX_LOG_INDEX,
    code: 'invalid_log_index',
    description: 'Which transfer of the transaction; needed where it holds several to your wallet',
    example: 0,
  })
  log_index?: number | null;
}

const TRANSACTION_CLAIM = resource(
  'transaction_claim',
  'A transaction that was named for a payment and is not counted yet',
  {
    id: id('tc'),
    object: constant('transaction_claim'),
    mode: MODE,
    payment_intent: id('pi'),
    tx_hash: text("The hash, or an exchange's own number", EXAMPLE_HASH),
    log_index: nullable(whole('Which transfer of the transaction; null where none was named', 0)),
    status: oneOfTexts(
      ['pending', 'in_review', 'attributed', 'refused'],
      'pending: no block holds the transaction yet. in_review: people decide whose it is. attributed and refused: its block came while this was asked, and it was counted for the payment or could not be.',
    ),
    reason: nullable(text('Why people decide; null otherwise')),
    transfer: nullable(id('tr', 'The transfer that is in review')),
    expires_at: nullable(timestamp('Until then the transaction is waited for; null where it is not')),
    created: timestamp(),
  },
);

export type TransactionClaimResource = Answer<typeof TRANSACTION_CLAIM>;

export const TRANSACTION_OPERATIONS = {
  name: {
    id: 'namePaymentTransaction',
    summary: 'Name the transaction that paid',
    description:
      'A naming is for a transfer of another amount than was asked for. Where the chain has the transfer, the payment counts it at once and is the answer. Otherwise the naming is filed and answered with 202. Repeat the call to ask how the naming stands.',
    answer: PAYMENT_INTENT,
    otherAnswers: { 202: TRANSACTION_CLAIM },
    refuses: [
      'payment_not_found', 'payment_not_quoted', 'payment_canceled', 'payment_failed', 'payment_already_paid', 'payment_expired',
      'payment_not_resolvable', 'reservation_not_found', 'invalid_state_transition', 'invalid_tx_hash', 'invalid_log_index',
      'duplicate_transaction', 'attribution_already_exists', 'unmatched_transfer_already_resolved', 'unmatched_transfer_not_found', 'rate_limit',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
