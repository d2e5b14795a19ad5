import { parseStreamName, type RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { NetworkId, TokenId } from '../../src/kernel/tokens';
import { transferId, transferKeyOf } from '../../src/modules/transfers/transfer.decider';
import type { RankedCandidate, TransferEvent, TransferUnmatched } from '../../src/modules/transfers/transfer.events';

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

type Doc = UnmatchedTransferDocument;
type On<T extends TransferEvent['type']> = RecordedEvent<Extract<TransferEvent, { readonly type: T }>>;

function change<T extends TransferEvent['type']>(
  handler: (doc: Doc, event: On<T>) => Partial<Doc>,
): (doc: Doc | null, event: On<T>) => Doc | null {
  return (doc, event) => {
    if (doc === null) return null;
    const next = { ...doc, ...handler(doc, event) };
    return { ...next, open: next.status === 'unmatched' || next.status === 'attribution_failed' };
  };
}

/** The queue of transfers that match no payment. */
export const unmatchedTransfersProjection: Projection<UnmatchedTransferDocument> = {
  name: 'unmatched_transfers',
  version: 2,
  categories: ['transfer'],
  mirrors: true,
  key: event => transferId(transferKeyOf(streamId(event))),
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
  on: {
    TransferSeen: (doc: Doc | null, event: On<'TransferSeen'>): Doc => {
      const { network, txHash, ordinal } = transferKeyOf(parseStreamName(event.stream).id);
      const { to: address, ...seen } = event.data;
      return {
        mode: event.metadata.mode,
        network_id: network,
        tx_hash: txHash,
        ordinal,
        address,
        ...seen,
        open: false,
        status: 'seen',
        reason: null,
        payment_intent: doc?.payment_intent ?? null,
        candidates: [],
        created: doc?.created ?? null,
        left_at: null,
      };
    },
    TransferClaimed: change<'TransferClaimed'>((_, { data }) => ({
      status: 'attributed',
      reason: null,
      payment_intent: data.payment_intent,
    })),
    TransferCommitted: change<'TransferCommitted'>(() => ({})),
    TransferUnmatched: change<'TransferUnmatched'>((doc, { data, metadata }) => ({
      status: 'unmatched',
      reason: data.reason,
      payment_intent: null,
      created: doc.created ?? metadata.occurred_at,
    })),
    CandidatesRanked: change<'CandidatesRanked'>((_, { data }) => ({ candidates: data.candidates })),
    TransferResolved: change<'TransferResolved'>((_, { data }) => ({
      status: 'attributed',
      reason: null,
      payment_intent: data.payment_intent,
    })),
    AttributionFailed: change<'AttributionFailed'>(() => ({ status: 'attribution_failed' })),
    TransferReopened: change<'TransferReopened'>(() => ({
      status: 'unmatched',
      reason: 'reopened',
      payment_intent: null,
    })),
    TransferReorgedOut: change<'TransferReorgedOut'>((_, { metadata }) => ({
      status: 'reorged_out',
      payment_intent: null,
      left_at: metadata.occurred_at,
    })),
  },
};
