import type { JsonObject } from '../../vocabulary/json';
import type { VersionChange } from './version-change';

/**
 * A payment method tells in `reserved_until` how long its exact amount stays the payment's own, beyond the end of its
 * quote.
 */
export const version20261115: VersionChange = {
  version: '2026-11-15',
  before: 'a `payment_method` has no `reserved_until`',
  back: {
    payment_intent: resource => {
      const method = resource.payment_method as JsonObject | null | undefined;
      if (!method) return resource;
      const { reserved_until: _, ...before } = method;
      return { ...resource, payment_method: before };
    },
  },
};
