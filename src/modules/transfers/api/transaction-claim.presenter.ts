import type { FiledNaming } from '../commands/attribute-transaction.command';
import type { NamingDocument } from '../namings.read-model';
import { reviewReasonInWords } from './evidence-words';
import type { TransactionClaimResource } from './transaction-claim.contract';

/** A naming that was just filed, as the API's `transaction_claim`. */
export function presentTransactionClaim(
  { namingId, referenceKind, reference, naming, filedAt }: FiledNaming,
  mode: string,
): TransactionClaimResource {
  const { paymentIntent, logIndex, status, reason, transferId, expiresAt } = naming;
  return presentNaming(namingId, {
    mode,
    payment_intent: paymentIntent,
    kind: referenceKind,
    reference,
    log_index: logIndex,
    status,
    reason,
    transfer_id: transferId,
    expires_at: expiresAt,
    filed_at: filedAt,
  });
}

/** The naming as the API's `transaction_claim`. */
export function presentNaming(
  id: string,
  naming: Omit<NamingDocument, 'merchant_id' | 'namings_id'>,
): TransactionClaimResource {
  return {
    id,
    object: 'transaction_claim',
    mode: naming.mode,
    payment_intent: naming.payment_intent,
    kind: naming.kind,
    tx_hash: naming.reference,
    log_index: naming.log_index,
    status: naming.status,
    reason: naming.reason && reviewReasonInWords(naming.reason),
    transfer: naming.transfer_id,
    expires_at: naming.status === 'pending' ? naming.expires_at : null,
    created: naming.filed_at,
  };
}
