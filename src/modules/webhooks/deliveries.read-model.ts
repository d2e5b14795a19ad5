import type { ReadModel } from '../../kernel/ports/read-models';

/** One attempt, whose document is never changed again. */
export type DeliveryDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly event: string;
  readonly endpoint: string;
  readonly attempt: number;
  readonly trigger: 'schedule' | 'manual';
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly latency_ms: number;
  readonly response_excerpt: string;
  readonly created: string;
};

export const deliveriesReadModel: ReadModel<DeliveryDocument> = {
  name: 'deliveries',
  version: 1,
  indexes: {
    by_endpoint: ['endpoint', 'created', 'id'],
    by_event: ['endpoint', 'event', 'created', 'id'],
    by_success: ['endpoint', 'succeeded', 'created', 'id'],
  },
};
