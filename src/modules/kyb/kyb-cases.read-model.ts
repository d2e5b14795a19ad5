import type { ReadModel } from '../../kernel/ports/read-models';
import type { KybBusiness, KybDocumentFacts, KybOwner } from './kyb-case.events';

export const KYB_STATUSES = ['open', 'submitted', 'approved', 'rejected'] as const;

export type KybCaseDocument = {
  readonly merchant_id: string;
  readonly status: (typeof KYB_STATUSES)[number];
  /** Null until the submission. */
  readonly business: KybBusiness | null;
  readonly owners: readonly KybOwner[];
  readonly documents: readonly KybDocumentFacts[];
  readonly submitted_at: string | null;
  /** The reviewer's note on the decision. */
  readonly note: string | null;
  readonly decided_at: string | null;
  readonly created: string;
};

/** A merchant's newest case is its current one. */
export const kybCasesReadModel: ReadModel<KybCaseDocument> = {
  name: 'kyb_cases',
  version: 1,
  indexes: {
    by_created: ['created', 'id'],
    by_merchant: ['merchant_id', 'created', 'id'],
    by_status: ['status', 'created', 'id'],
  },
};
