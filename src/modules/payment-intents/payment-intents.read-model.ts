import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../kernel/tokens';
import type { DetectedTransfer, FailureReason } from './payment-intent.events';
import type { ExistingPaymentIntent } from './payment-intent.state';
import type { Status } from './payment-intent.transitions';

/** One that stands is as the ledger has it; one that is gone keeps its last facts. */
export type TransferRow = DetectedTransfer & {
  readonly status: 'seen' | 'confirming' | 'credited' | 'reorged' | 'failed';
};

export type PaymentIntentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly status: Status;
  readonly network_id: NetworkId | null;
  /** Whether the network's watcher has something to follow. */
  readonly followed: boolean;
  /** Highest block of a transfer that counts; null where nothing counts. */
  readonly settled_block: number | null;
  readonly created: string;
  /** The payment as its events fold. Every rule is asked of the domain's functions over it. */
  readonly state: ExistingPaymentIntent;
  /** As the payment was settled; in review, as the chain has it. */
  readonly received_minor_units: string;
  readonly received_base_units: string;
  readonly surplus_base_units: string | null;
  readonly transfers: readonly TransferRow[];
  readonly review: {
    readonly reason: 'underpaid' | 'paid_late';
    readonly entered_at: string;
    readonly note: string | null;
  } | null;
  /** When the last hold was placed. */
  readonly held_at: string | null;
  readonly failure_reason: FailureReason | 'compliance_rejected' | null;
  readonly canceled_at: string | null;
  readonly confirmed_at: string | null;
};

export const paymentIntentsReadModel: ReadModel<PaymentIntentDocument> = {
  name: 'payment_intents',
  version: 5,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    by_status: ['merchant_id', 'mode', 'status', 'created', 'id'],
    by_network: ['mode', 'network_id', 'followed', 'id'],
    by_settled_block: ['mode', 'network_id', 'settled_block', 'id'],
  },
};
