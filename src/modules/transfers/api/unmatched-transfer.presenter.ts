import { invariant } from '../../../kernel/invariant';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import type { UnmatchedTransferDocument } from '../unmatched-transfers.read-model';
import { evidenceInWords } from './evidence-words';
import type { UnmatchedTransferResource } from './unmatched-transfers.contract';

/**
 * The transfer as the API's `unmatched_transfer`. Candidates are the reader's own: merchants who share the address
 * learn nothing of each other's payments.
 */
export function presentUnmatchedTransfer(
  id: string,
  doc: UnmatchedTransferDocument,
  merchantId: string,
): UnmatchedTransferResource {
  const { status, created } = doc;
  const isQueued = status === 'unmatched' || status === 'attribution_failed' || status === 'set_aside';
  invariant(isQueued && created !== null, `${id} is not in the queue`);
  const token = TOKENS[doc.token_id];
  return {
    id,
    object: 'unmatched_transfer',
    mode: doc.mode,
    status,
    reason: doc.reason,
    set_aside: doc.set_aside,
    network_id: doc.network_id,
    token_id: doc.token_id,
    asset_symbol: token.asset,
    tx_hash: doc.tx_hash,
    log_index: doc.ordinal,
    from: doc.from,
    to: doc.address,
    token_amount: formatTokenAmount(token, doc.value_base_units),
    block_number: doc.block_number,
    block_time: doc.block_time,
    candidates: doc.candidates
      .filter(({ merchant_id }) => merchant_id === merchantId)
      .map(({ payment_intent, evidence, distance_base_units }) => ({
        payment_intent,
        reason: evidenceInWords(token, evidence),
        distance: formatTokenAmount(token, distance_base_units),
      })),
    created,
  };
}
