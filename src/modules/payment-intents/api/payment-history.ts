import type { DomainEvent } from '../../../kernel/event';
import type { JsonObject } from '../../../kernel/json';
import type { PaymentIntentEvent } from '../payment-intent.events';

const RESOLUTION: readonly string[] = ['reason', 'proposed_by', 'approved_by'];

/** What compliance knows of a payer, and who decided on it, is not the merchant's to read: that would warn the payer. */
const WITHHELD: Readonly<Partial<Record<PaymentIntentEvent['type'], readonly string[]>>> = {
  PayerScreened: ['source', 'reference'],
  HoldPlaced: ['reason'],
  HoldReleased: RESOLUTION,
  HoldRejected: RESOLUTION,
};

/** An event's data as the payment's merchant sees it. */
export function shownToMerchant({ type, data }: DomainEvent): JsonObject {
  const withheld = WITHHELD[type as PaymentIntentEvent['type']] ?? [];
  return Object.fromEntries(Object.entries(data).filter(([field]) => !withheld.includes(field)));
}
