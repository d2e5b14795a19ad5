import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { NAMING_KINDS, NAMING_STATUSES } from '../../payment-intents/queries/payment-intent.answer';

export const EXAMPLE_HASH = `0x${'5c'.repeat(32)}`;

export const TRANSACTION_CLAIM = resource('transaction_claim', 'A transaction that somebody named for a payment', {
  id: id('tc'),
  object: constant('transaction_claim'),
  mode: MODE,
  payment_intent: id('pi'),
  kind: oneOfTexts(
    NAMING_KINDS,
    'transaction: tx_hash is a hash. exchange_transfer: tx_hash is the own number of an exchange, which people look into.',
  ),
  tx_hash: text("The hash, or an exchange's own number", EXAMPLE_HASH),
  log_index: nullable(whole('Which transfer of the transaction; null where none was named', 0)),
  status: oneOfTexts(
    NAMING_STATUSES,
    'pending: no block holds the transaction yet. in_review: people decide whose it is. attributed: it was counted for the payment. refused: it could not be.',
  ),
  reason: nullable(text('Why people decide; null otherwise')),
  transfer: nullable(id('tr', 'The transfer that is in review')),
  expires_at: nullable(timestamp('Until then the transaction is waited for; null where it is not')),
  created: timestamp(),
});

export type TransactionClaimResource = Answer<typeof TRANSACTION_CLAIM>;

export const TRANSACTION_CLAIM_OPERATIONS = {
  list: {
    id: 'listTransactionClaims',
    summary: 'List transactions that were named for payments, newest first',
    description: 'A transaction that is named anew takes its new place. A claim of an exchange is decided by support.',
    answer: listOf(TRANSACTION_CLAIM),
    paged: true,
    query: { status: oneOfTexts(NAMING_STATUSES) },
    refuses: [],
  },
} as const satisfies OperationTable;
