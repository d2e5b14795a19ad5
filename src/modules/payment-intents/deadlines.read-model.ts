import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../kernel/tokens';

export const DEADLINE_KINDS = ['quote', 'reservation'] as const;
export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export type DeadlineDocument = {
  /** Whose time counts: `live`, or `test:{merchant}`. */
  readonly clock: string;
  readonly kind: DeadlineKind;
  /** By that clock. */
  readonly due_at: string;
  /**
   * By the wall's, as that clock stood when the deadline was set. If it was advanced since, the deadline comes earlier
   * than this says.
   */
  readonly wall_due_at: string;
  /** Whose coverage it waits for; null when for none. */
  readonly network_id: NetworkId | null;
  readonly mode: string;
  /** Id of the stream that waits. */
  readonly subject: string;
  readonly merchant_id: string | null;
};

/** What is waited for, one deadline a stream, in the order in which it falls due by its clock and by the wall's. */
export const deadlinesReadModel: ReadModel<DeadlineDocument> = {
  name: 'deadlines',
  version: 3,
  indexes: {
    by_wall: ['mode', 'kind', 'network_id', 'wall_due_at', 'id'],
    by_clock: ['clock', 'kind', 'network_id', 'due_at', 'id'],
  },
};
