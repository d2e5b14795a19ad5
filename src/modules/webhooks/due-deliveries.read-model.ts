import type { ReadModel } from '../../kernel/ports/read-models';

/**
 * `wall` is the wall's moment as the merchant's clock stood when it was set: an advance since then brings it nearer.
 */
export type Due = { readonly at: string; readonly wall: string };

/** A delivery with an attempt to come. Once there is none, it has no document. */
export type DueDeliveryDocument = {
  readonly mode: string;
  readonly merchant_id: string | null;
  readonly endpoint: string;
  /** The clock by which it falls due: `live`, or `test:{merchant}`. */
  readonly clock: string;
  /** Of the attempts below, the earlier one's time by that clock, and by the wall's. */
  readonly due_at: string;
  readonly wall_due_at: string;
  /** The schedule's next attempt. */
  readonly schedule: Due | null;
  /** The attempts by hand that were asked for and are not made, and since when. */
  readonly manual: (Due & { readonly count: number }) | null;
};

/** The one list that webhooks are sent from: first attempts, retries, and those that were asked for by hand. */
export const dueDeliveriesReadModel: ReadModel<DueDeliveryDocument> = {
  name: 'due_deliveries',
  version: 1,
  indexes: {
    by_due: ['mode', 'wall_due_at', 'id'],
    by_endpoint: ['endpoint', 'due_at', 'id'],
    by_clock: ['clock', 'due_at', 'id'],
  },
};
