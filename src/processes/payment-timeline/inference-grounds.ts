import { streamName, type RecordedEvent } from '../../kernel/event';
import type { EventStore } from '../../kernel/ports/event-store';
import type { Mode } from '../../vocabulary/modes';
import type { DetectedTransfer, PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';
import type { InferenceEvidence } from '../../modules/transfers/inference-facts';
import { transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferEvent } from '../../modules/transfers/transfer.events';

/** The grounds of the payment's claim to its inferred transfer, by the transfer's id. A payment has one at most. */
export async function inferencesOf(
  store: Pick<EventStore, 'readStream'>,
  mode: Mode,
  paymentIntent: string,
  history: readonly RecordedEvent<PaymentIntentEvent>[],
): Promise<ReadonlyMap<string, InferenceEvidence>> {
  const quote = history.find(event => event.type === 'MethodSelected')?.data;
  const inferred = new Map<string, DetectedTransfer>();
  for (const { type, data } of history)
    if (type === 'TransferDetected' && data.attribution === 'inferred') inferred.set(data.transfer_id, data);
  const grounds = new Map<string, InferenceEvidence>();
  if (quote === undefined) return grounds;
  for (const [id, { tx_hash: txHash, ordinal }] of inferred) {
    const stream = streamName(mode, 'transfer', transferStreamId({ network: quote.network_id, txHash, ordinal }));
    const events = (await store.readStream(stream)) as readonly RecordedEvent<TransferEvent>[];
    const claim = events.findLast(event => isClaimOf(event, paymentIntent));
    if (claim?.type === 'TransferClaimed' && claim.data.evidence) grounds.set(id, claim.data.evidence);
  }
  return grounds;
}

function isClaimOf(event: TransferEvent, paymentIntent: string): boolean {
  return (
    event.type === 'TransferClaimed' && event.data.payment_intent === paymentIntent && event.data.evidence !== null
  );
}
