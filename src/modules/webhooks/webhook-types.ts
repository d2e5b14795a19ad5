/**
 * Every type that an endpoint can name. The `refund.*` types are reserved: accepted in a subscription, never emitted.
 */
export const WEBHOOK_TYPES = [
  'payment.created', 'payment.detected', 'payment.confirming', 'payment.confirmed', 'payment.underpaid',
  'payment.overpaid', 'payment.paid_late', 'payment.expired', 'payment.canceled', 'payment.failed', 'refund.created',
  'refund.succeeded', 'refund.failed',
] as const; // prettier-ignore
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

export const ALL_TYPES = '*';

/** The outside name of the payment's arrival in a state; `awaiting_payment` has none. */
const TYPE_BY_STATUS: Readonly<Record<string, WebhookType>> = {
  created: 'payment.created',
  detected: 'payment.detected',
  confirming: 'payment.confirming',
  confirmed: 'payment.confirmed',
  underpaid: 'payment.underpaid',
  overpaid: 'payment.overpaid',
  paid_late: 'payment.paid_late',
  expired: 'payment.expired',
  canceled: 'payment.canceled',
  failed: 'payment.failed',
};

/** Changes of the hold are told by the type of the state that the payment stays in. */
const HOLD_EVENTS: readonly string[] = ['HoldPlaced', 'HoldReleased', 'HoldRejected'];

/**
 * The payment's own history decides: a new state is told, and a change of the hold. A further transfer in the same
 * state has no type.
 */
export function typeOfTransition(before: string | null, after: string, eventType: string): WebhookType | null {
  const isTold = before !== after || HOLD_EVENTS.includes(eventType);
  return isTold ? (TYPE_BY_STATUS[after] ?? null) : null;
}

/** The payment's state that a type tells of; null for a reserved type. */
export function statusToldBy(type: string): string | null {
  return Object.entries(TYPE_BY_STATUS).find(([, told]) => told === type)?.[0] ?? null;
}

export function isWebhookType(text: string): text is WebhookType {
  return (WEBHOOK_TYPES as readonly string[]).includes(text);
}

export function isSubscribed(enabledEvents: readonly string[], type: WebhookType): boolean {
  return enabledEvents.includes(ALL_TYPES) || enabledEvents.includes(type);
}
