import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { MailKind } from '../../modules/outbox/mail-kinds';
import type { WritePath } from '../../kernel/write-path';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type {
  PaidLate,
  PaymentUnderpaid,
  SettledTransferLost,
} from '../../modules/payment-intents/payment-intent.events';
import { isMerchantsToConfirm } from '../../modules/payment-intents/payment-intent.outcome';
import { needsDecision } from '../../modules/payment-intents/payment-intent.review';

export type MoneyEvent = PaidLate | PaymentUnderpaid | SettledTransferLost;

/** The mail that an event of a payment asks for. A payment is read where it may wait for a decision. */
export class MoneyNotices {
  constructor(private readonly writes: Pick<WritePath, 'load'>) {}

  async noticeOf(event: RecordedEvent<MoneyEvent>): Promise<MailKind | null> {
    switch (event.type) {
      case 'PaymentUnderpaid':
        return this.ofUnderpaid(event);
      case 'PaidLate':
        return this.ofLate(event);
      case 'SettledTransferLost':
        return ofLost(event);
      default:
        return null;
    }
  }

  /** Null where the payment waits for its remainder, or was decided since. */
  private async ofUnderpaid({ stream }: RecordedEvent<PaymentUnderpaid>): Promise<MailKind | null> {
    const { universe: mode, id: paymentIntent } = parseStreamName(stream);
    const { state } = await this.writes.load(paymentIntents, mode, paymentIntent);
    if (state.status !== 'underpaid' || !needsDecision(state) || !isMerchantsToConfirm(state)) return null;
    const { token_id: tokenId, due_base_units: dueBaseUnits } = state.quote;
    const received = Object.values(state.ledger.transfers)
      .filter(({ attribution }) => attribution === 'inferred')
      .map(({ transfer_id: transferId, tx_hash: txHash, from, value_base_units: baseUnits }) => {
        return { transferId, txHash, from, baseUnits };
      });
    return { kind: 'payment_inferred', facts: { mode, paymentIntent, tokenId, dueBaseUnits, received } };
  }

  /** The first late money of a payment is told, while the payment waits for its decision. */
  private async ofLate({ id, stream, data }: RecordedEvent<PaidLate>): Promise<MailKind | null> {
    const { universe: mode, id: paymentIntent } = parseStreamName(stream);
    const { state, history } = await this.writes.load(paymentIntents, mode, paymentIntent);
    if (state.status !== 'paid_late' || !needsDecision(state)) return null;
    if (history.find(({ type }) => type === 'PaidLate')?.id !== id) return null;
    const { token_id: tokenId, due_base_units: dueBaseUnits } = state.quote;
    const { transfer_id: transferId, received_base_units: receivedBaseUnits } = data;
    const facts = { mode, paymentIntent, transferId, tokenId, dueBaseUnits, receivedBaseUnits };
    return { kind: 'payment_came_late', facts };
  }
}

function ofLost({ stream, data, metadata }: RecordedEvent<SettledTransferLost>): MailKind {
  const { universe: mode, id: paymentIntent } = parseStreamName(stream);
  const facts = { mode, paymentIntent, transferId: data.transfer_id, at: metadata.occurred_at };
  return { kind: 'transfer_lost', facts };
}
