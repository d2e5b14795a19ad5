import type { Document } from '../../../kernel/ports/documents';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import type { ReconciliationDocument } from '../reconciliations.read-model';
import type { ReconciliationResource } from './reconciliations.contract';

export function presentReconciliation({ id, body }: Document<ReconciliationDocument>): ReconciliationResource {
  const token = TOKENS[body.token_id];
  const amount = (baseUnits: string | null) => (baseUnits === null ? null : formatTokenAmount(token, baseUnits));
  return {
    id,
    object: 'reconciliation',
    mode: body.mode,
    wallet: body.wallet,
    network_id: body.network_id,
    token_id: body.token_id,
    asset_symbol: token.asset,
    day: body.day,
    status: body.status,
    opening: amount(body.opening_base_units),
    credited: amount(body.credited_base_units),
    unmatched: amount(body.unmatched_base_units),
    unrelated: amount(body.unrelated_base_units),
    dust: amount(body.dust_base_units),
    sent: amount(body.sent_base_units),
    closing: amount(body.closing_base_units),
    difference: amount(body.difference_base_units),
    transfers: body.transfers,
    differences: body.differences.map(({ kind, amount_base_units, tx_hash, ordinal }) => ({
      kind,
      token_amount: formatTokenAmount(token, amount_base_units),
      tx_hash,
      log_index: ordinal,
    })),
  };
}
