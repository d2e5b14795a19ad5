import type { ReadModel } from '../../kernel/ports/read-models';
import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import type { RankedCandidate, TransferKey, TransferSetAside, TransferUnmatched } from './transfer.events';

/** Every transfer that ever lacked a payment. A transfer leaves the queue by `open`; its other facts stay. */
export type UnmatchedTransferDocument = {
  readonly mode: string;
  readonly network_id: NetworkId;
  readonly token_id: TokenId;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly from: string;
  /** The receiving address: merchants with this address as a verified wallet see the transfer. */
  readonly address: string;
  readonly value_base_units: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: string;
  /** The transfer counts for no payment, so somebody has to decide. */
  readonly open: boolean;
  readonly status: 'seen' | 'unmatched' | 'attributed' | 'attribution_failed' | 'set_aside' | 'reorged_out';
  readonly reason: TransferUnmatched['data']['reason'] | 'reopened' | null;
  /** The payment that took the transfer, or could not. */
  readonly payment_intent: string | null;
  /** The merchant's decision; null unless the transfer is set aside. */
  readonly set_aside: TransferSetAside['data'] | null;
  readonly candidates: readonly RankedCandidate[];
  /** The time when the transfer first came into the queue; null while it never has. */
  readonly created: string | null;
  /** The time when the transfer was recorded as off its block; null while it stands there. */
  readonly left_at: string | null;
  /** The wall's moment of the transfer's newest event. */
  readonly recorded_at: string;
};

export function keyOfRow({ network_id: network, tx_hash: txHash, ordinal }: UnmatchedTransferDocument): TransferKey {
  return { network, txHash, ordinal };
}

/** The queue of transfers that match no payment. */
export const unmatchedTransfersReadModel: ReadModel<UnmatchedTransferDocument> = {
  name: 'unmatched_transfers',
  version: 5,
  indexes: {
    by_open: ['open', 'created', 'id'],
    by_address: ['mode', 'network_id', 'address', 'open', 'created', 'id'],
    /** Siblings of a transfer, which together may be one payment. */
    by_token: ['mode', 'token_id', 'address', 'open', 'block_time', 'id'],
    by_transaction: ['mode', 'network_id', 'tx_hash', 'id'],
    /** Transfers that a reorganisation may still take. */
    by_block: ['mode', 'network_id', 'open', 'block_number', 'id'],
    /** Transfers that were recorded lately, in whichever block they were seen. */
    by_recorded: ['mode', 'network_id', 'open', 'recorded_at', 'id'],
    /** Transfers that may have come back since a reorganisation took them. */
    by_leaving: ['mode', 'network_id', 'status', 'left_at', 'id'],
  },
};
