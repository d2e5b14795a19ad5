import type { OperationTable } from '../../../platform/http/openapi-operation';
import { listOf, oneOfTexts } from '../../../platform/http/openapi-schema';
import { NETWORK_IDS } from '../../../kernel/tokens';
import { PAYMENT_INTENT } from '../../payment-intents/api/payment-intent.answer';
import { TRANSACTION_CLAIM, UNMATCHED_TRANSFER } from './unmatched-transfer.schema';

export const TRANSFER_OPERATIONS = {
  list: {
    id: 'listUnmatchedTransfers',
    summary: 'List transfers that match no payment, newest first',
    description:
      'All that reached a verified wallet of yours. Where two accounts have verified one address, both see what comes there, each with candidates of its own.',
    answer: listOf(UNMATCHED_TRANSFER),
    paged: true,
    query: { network_id: oneOfTexts(NETWORK_IDS) },
    refuses: [],
  },
  get: {
    id: 'getUnmatchedTransfer',
    summary: 'Retrieve a transfer that matches no payment',
    answer: UNMATCHED_TRANSFER,
    refuses: ['unmatched_transfer_not_found'],
  },
  name: {
    id: 'namePaymentTransaction',
    summary: 'Name the transaction that paid',
    description:
      'For a transfer of another amount than was asked for. It is counted at once where the chain has it, and answered with the payment; otherwise it is filed and answered with 202. Repeat the call to ask how it stands.',
    answer: PAYMENT_INTENT,
    otherAnswers: { 202: TRANSACTION_CLAIM },
    refuses: [
      'payment_not_found', 'payment_not_quoted', 'payment_canceled', 'payment_failed', 'payment_already_paid', 'payment_expired',
      'reservation_not_found', 'invalid_state_transition', 'invalid_tx_hash', 'invalid_log_index', 'duplicate_transaction',
      'attribution_already_exists', 'unmatched_transfer_already_resolved', 'unmatched_transfer_not_found', 'rate_limit',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
