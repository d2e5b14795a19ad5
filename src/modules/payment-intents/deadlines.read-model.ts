import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';

export const DEADLINE_KINDS = ['quote', 'reservation'] as const;
export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export type DeadlineDocument = {
  /** The clock that counts: `live`, or `test:{merchant}`. */
  readonly clock: string;
  readonly kind: DeadlineKind;
  /** The deadline by that clock. */
  readonly due_at: string;
  /**
   * The deadline by the wall's clock, as that clock stood when the deadline was set. An advance since then brings the
   * deadline nearer than this value.
   */
  readonly wall_due_at: string;
  /** The network for whose coverage the deadline waits; null for none. */
  readonly network_id: NetworkId | null;
  readonly mode: string;
  /** Id of the stream that waits. */
  readonly subject: string;
  /** The payment whose quote ends, or that holds the amount. */
  readonly payment_intent: string;
  readonly merchant_id: string | null;
};

/** The deadlines, one a stream, in the order in which they fall due by their clock and by the wall's. */
export const deadlinesReadModel: ReadModel<DeadlineDocument> = {
  name: 'deadlines',
  version: 4,
  indexes: {
    by_wall: ['mode', 'kind', 'network_id', 'wall_due_at', 'id'],
    by_clock: ['clock', 'kind', 'network_id', 'due_at', 'id'],
    by_payment: ['mode', 'payment_intent', 'kind', 'id'],
  },
};
