import type { ReadModel } from '../../kernel/ports/read-models';

/**
 * `wall` is the wall's moment, as the merchant's clock stood when the time was set. An advance since then brings it
 * nearer.
 */
export type Due = { readonly at: string; readonly wall: string };

/** A delivery with an attempt to come. Once no attempt is to come, there is no document. */
export type DueDeliveryDocument = {
  readonly mode: string;
  readonly merchant_id: string | null;
  readonly endpoint: string;
  /** The clock by which the delivery falls due: `live`, or `test:{merchant}`. */
  readonly clock: string;
  /** The time of the earlier one of the attempts below, by that clock and by the wall's. */
  readonly due_at: string;
  readonly wall_due_at: string;
  /** The schedule's next attempt. */
  readonly schedule: Due | null;
  /** The redeliveries that are still to be made, and the start of the wait. */
  readonly manual: (Due & { readonly count: number }) | null;
};

/** The one list that webhooks are sent from: first attempts, retries, and redeliveries. */
export const dueDeliveriesReadModel: ReadModel<DueDeliveryDocument> = {
  name: 'due_deliveries',
  version: 1,
  indexes: {
    by_due: ['mode', 'wall_due_at', 'id'],
    by_endpoint: ['endpoint', 'due_at', 'id'],
    by_clock: ['clock', 'due_at', 'id'],
  },
};
