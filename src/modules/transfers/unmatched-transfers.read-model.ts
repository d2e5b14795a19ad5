import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId, TokenId } from '../../kernel/tokens';
import type { RankedCandidate, TransferUnmatched } from './transfer.events';

/** Every transfer that some time lacked a payment. It leaves the queue by `open`; what it was stays. */
export type UnmatchedTransferDocument = {
  readonly mode: string;
  readonly network_id: NetworkId;
  readonly token_id: TokenId;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly from: string;
  /** Where it went: whose verified wallet that is sees it. */
  readonly address: string;
  readonly value_base_units: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: string;
  /** Counted for no payment, so that somebody has to decide. */
  readonly open: boolean;
  readonly status: 'seen' | 'unmatched' | 'attributed' | 'attribution_failed' | 'reorged_out';
  readonly reason: TransferUnmatched['data']['reason'] | 'reopened' | null;
  /** The payment that took it, or could not. */
  readonly payment_intent: string | null;
  readonly candidates: readonly RankedCandidate[];
  /** When it first came into the queue; null as long as it never was there. */
  readonly created: string | null;
  /** When it was recorded as off its block; null while it stands there. */
  readonly left_at: string | null;
};

/** The queue of transfers that match no payment. */
export const unmatchedTransfersReadModel: ReadModel<UnmatchedTransferDocument> = {
  name: 'unmatched_transfers',
  version: 2,
  indexes: {
    by_address: ['mode', 'network_id', 'address', 'open', 'created', 'id'],
    /** Siblings of a transfer, which together may be one payment. */
    by_token: ['mode', 'token_id', 'address', 'open', 'block_time', 'id'],
    by_transaction: ['mode', 'network_id', 'tx_hash', 'id'],
    /** What a reorganisation may still take. */
    by_block: ['mode', 'network_id', 'open', 'block_number', 'id'],
    /** What may have come back since a reorganisation took it. */
    by_leaving: ['mode', 'network_id', 'status', 'left_at', 'id'],
  },
};
