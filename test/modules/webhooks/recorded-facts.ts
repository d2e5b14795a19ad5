/** The sweeper, at the beginning of time. */
export const AT = { actor: { role: 'sweeper', type: 'system', id: 'webhooks' }, now: 0 } as const;

/** The facts of a payment's first webhook event. */
export const FACTS = {
  event_type: 'payment.created',
  payment_intent: 'pi_1',
  payment_revision: 0,
  created: 1_793_534_400,
} as const;
