import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { DeferredTransferEvent, TransferDeferred } from '../../src/modules/coverage/deferred-transfer.events';

/** Every transfer that was set aside some time; what holds its slot's payment up are those that are open. */
export type DeferredTransferDocument = TransferDeferred['data'] & {
  readonly mode: string;
  readonly status: 'open' | 'finished' | 'dropped' | 'given_up';
  readonly deferred_at: string;
  /** Null but where an administrator has ended its wait. */
  readonly giving_up: { readonly reason: string; readonly by: string; readonly at: string } | null;
};

type Doc = DeferredTransferDocument;
type On<T extends DeferredTransferEvent['type']> = RecordedEvent<Extract<DeferredTransferEvent, { readonly type: T }>>;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const deferredTransfersProjection: Projection<DeferredTransferDocument> = {
  name: 'deferred_transfers',
  version: 3,
  categories: ['deferred_transfer'],
  mirrors: true,
  key: streamId,
  indexes: {
    by_block: ['mode', 'network_id', 'status', 'block_number', 'id'],
    by_address: ['mode', 'network_id', 'to', 'status', 'block_number', 'id'],
    by_slot: ['mode', 'slot', 'status', 'block_number', 'id'],
  },
  on: {
    TransferDeferred: (_: Doc | null, { data, metadata }: On<'TransferDeferred'>): Doc => ({
      ...data,
      mode: metadata.mode,
      status: 'open',
      deferred_at: metadata.recorded_at,
      giving_up: null,
    }),
    DeferredTransferFinished: withStatus('finished'),
    DeferredTransferDropped: withStatus('dropped'),
    DeferredTransferGivenUp: (doc: Doc | null, { data, metadata }: On<'DeferredTransferGivenUp'>): Doc | null =>
      doc && {
        ...doc,
        status: 'given_up',
        giving_up: { reason: data.reason, by: metadata.actor.id, at: metadata.recorded_at },
      },
  },
};
