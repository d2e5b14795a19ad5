import type { ReadModel } from '../../kernel/ports/read-models';

/** The last hold of a payment, by the payment's id. */
export type HoldDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  /** `hold_…` */
  readonly hold: string;
  readonly payer: string;
  readonly source: 'screening' | 'administrator';
  /** Null for a hold of the screening. */
  readonly reason: string | null;
  readonly status: 'open' | 'released' | 'rejected';
  readonly placed_at: string;
  readonly resolved_at: string | null;
};

export const holdsReadModel: ReadModel<HoldDocument> = {
  name: 'holds',
  version: 2,
  indexes: {
    by_hold: ['hold', 'id'],
    by_placing: ['placed_at', 'id'],
    by_status: ['status', 'placed_at', 'id'],
  },
};
