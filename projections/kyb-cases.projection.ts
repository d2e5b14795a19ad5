import { streamId, type Projection } from '../src/kernel/projection';
import type { KybCaseEvent } from '../src/modules/kyb/kyb-case.events';
import { kybCasesReadModel, type KybCaseDocument } from '../src/modules/kyb/kyb-cases.read-model';

export const kybCasesProjection: Projection<KybCaseDocument, KybCaseEvent> = {
  ...kybCasesReadModel,
  categories: ['kyb_case'],
  mirrors: true,
  key: streamId,
  on: {
    KybCaseOpened: (_, { data, metadata }): KybCaseDocument => ({
      merchant_id: data.merchant_id,
      status: 'open',
      business: null,
      owners: [],
      documents: [],
      submitted_at: null,
      note: null,
      decided_at: null,
      created: metadata.occurred_at,
    }),
    KybCaseSubmitted: (doc, { data, metadata }) =>
      doc && { ...doc, ...data, status: 'submitted', submitted_at: metadata.occurred_at },
    KybDocumentAdded: (doc, { data }) => doc && { ...doc, documents: [...doc.documents, data] },
    KybDocumentRemoved: (doc, { data }) =>
      doc && { ...doc, documents: doc.documents.filter(({ id }) => id !== data.id) },
    KybApproved: (doc, { data, metadata }) =>
      doc && { ...doc, status: 'approved', note: data.note, decided_at: metadata.occurred_at },
    KybRejected: (doc, { data, metadata }) =>
      doc && { ...doc, status: 'rejected', note: data.note, decided_at: metadata.occurred_at },
  },
};
