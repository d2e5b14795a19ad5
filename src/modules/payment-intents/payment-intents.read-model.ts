import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../kernel/tokens';
import type { DetectedTransfer, FailureReason, Quote, Remainder } from './payment-intent.events';
import type { Status } from './payment-intent.transitions';

export type TransferRow = DetectedTransfer & {
  readonly status: 'seen' | 'confirming' | 'credited' | 'reorged' | 'failed';
};

export type PaymentIntentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly status: Status;
  readonly network_id: NetworkId | null;
  /**
   * Whether the network's watcher has something to follow. That is a transfer that is not final, a settlement that
   * waits, a remainder to be asked for anew, or a payer to be held.
   */
  readonly followed: boolean;
  /** Highest block of a transfer that counts, once the payment is settled; null before, and where nothing counts. */
  readonly settled_block: number | null;
  readonly amount_minor_units: string;
  readonly currency: string;
  readonly currency_decimals: number;
  readonly received_minor_units: string;
  readonly received_base_units: string;
  readonly surplus_base_units: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly success_url: string | null;
  readonly quote: Quote | null;
  readonly transfers: readonly TransferRow[];
  readonly remainder: Remainder | null;
  readonly review: Review | null;
  readonly hold: { readonly status: 'open' | 'released' | 'rejected'; readonly placed_at: string } | null;
  /** Payers who screened as a high risk, and whom nobody has held yet. */
  readonly risks: readonly string[];
  readonly failure_reason: FailureReason | 'compliance_rejected' | null;
  readonly created: string;
  readonly canceled_at: string | null;
  readonly confirmed_at: string | null;
};

type Review = {
  readonly reason: 'underpaid' | 'paid_late';
  readonly entered_at: string;
  readonly resolution: 'accepted' | 'rejected' | null;
  readonly note: string | null;
};

export const paymentIntentsReadModel: ReadModel<PaymentIntentDocument> = {
  name: 'payment_intents',
  version: 4,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    by_status: ['merchant_id', 'mode', 'status', 'created', 'id'],
    by_network: ['mode', 'network_id', 'followed', 'id'],
    by_settled_block: ['mode', 'network_id', 'settled_block', 'id'],
  },
};
