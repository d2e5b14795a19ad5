import { streamId, type Projection } from '../src/kernel/projection';
import type { DeferredTransferEvent } from '../src/modules/coverage/deferred-transfer.events';
import {
  deferredTransfersReadModel,
  type DeferredTransferDocument,
} from '../src/modules/coverage/deferred-transfers.read-model';

type Doc = DeferredTransferDocument;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const deferredTransfersProjection: Projection<DeferredTransferDocument, DeferredTransferEvent> = {
  ...deferredTransfersReadModel,
  categories: ['deferred_transfer'],
  mirrors: true,
  key: streamId,
  on: {
    TransferDeferred: (_, { data, metadata }): Doc => ({
      ...data,
      mode: metadata.mode,
      status: 'open',
      deferred_at: metadata.recorded_at,
      giving_up: null,
    }),
    DeferredTransferFinished: withStatus('finished'),
    DeferredTransferDropped: withStatus('dropped'),
    DeferredTransferGivenUp: (doc, { data, metadata }) =>
      doc && {
        ...doc,
        status: 'given_up',
        giving_up: { reason: data.reason, given_up_by: metadata.actor.id, at: metadata.recorded_at },
      },
  },
};
