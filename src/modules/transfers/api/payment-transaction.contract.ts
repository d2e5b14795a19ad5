import { Text } from '../../../platform/http/fields/text-fields';
import { Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import { PAYMENT_INTENT } from '../../payment-intents/queries/payment-intent.answer';
import { EXAMPLE_HASH, TRANSACTION_CLAIM } from './transaction-claim.contract';

/** A limit above the length of any hash, and of the address of any page that shows one. */
const TEXT_LENGTH = 300;
/** A number above that of the logs in any block. */
const MAX_LOG_INDEX = 1_000_000;

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

export const TRANSACTION_OPERATIONS = {
  name: {
    id: 'namePaymentTransaction',
    summary: 'Name the transaction that paid',
    description:
      'A naming is for a transfer of another amount than was asked for. Where the chain has the transfer, the payment counts it at once and is the answer. Otherwise the naming is filed and answered with 202. Repeat the call to ask how the naming stands. A naming with your key is your word: anybody can read a hash off the chain, so look at the transfer before you name it for a customer. A naming at checkout settles the payment too, where the block came after the quote and no other open payment is nearer. At a wallet that also gets other money, look at each transfer with the attribution `claimed` before you ship.',
    answer: PAYMENT_INTENT,
    otherAnswers: { 202: TRANSACTION_CLAIM },
    refuses: [
      'payment_not_found', 'payment_not_quoted', 'payment_canceled', 'payment_failed', 'payment_already_paid',
      'payment_expired', 'payment_not_resolvable', 'reservation_not_found', 'invalid_state_transition',
      'invalid_tx_hash', 'invalid_log_index', 'duplicate_transaction', 'attribution_already_exists',
      'unmatched_transfer_already_resolved', 'unmatched_transfer_not_found', 'rate_limit',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
