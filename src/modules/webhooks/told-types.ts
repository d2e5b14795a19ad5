import type { PaymentIntentEvent } from '../payment-intents/payment-intent.events';
import { destination, STATUSES, TRANSITIONS } from '../payment-intents/payment-intent.transitions';
import { typeOfTransition, type WebhookType } from './webhook-types';

type PaymentEventType = PaymentIntentEvent['type'];

const TOLD_TYPES: ReadonlyMap<string, ReadonlySet<WebhookType | null>> = new Map(
  Object.values(TRANSITIONS)
    .flatMap(edges => Object.values(edges).flatMap(({ events }) => events))
    .map(type => [type, new Set(toldTypes(type))]),
);

/** The webhook type by each state that takes such an event; null where endpoints are not told of it. */
function toldTypes(type: PaymentEventType): readonly (WebhookType | null)[] {
  return (['none', ...STATUSES] as const).flatMap(from => {
    const to = destination(from, type);
    return to === null ? [] : [typeOfTransition(from, to, type)];
  });
}

/** False for a type of which no state tells endpoints. */
export function isEverTold(eventType: string): boolean {
  return [...(TOLD_TYPES.get(eventType) ?? [])].some(told => told !== null);
}

/**
 * The payment's event types that tell endpoints the same whatever the payment's state was, each with its webhook type.
 * An event of another type is told or not by that state, so it alone does not say.
 */
export const ALWAYS_TOLD: ReadonlyMap<string, WebhookType> = new Map(
  [...TOLD_TYPES].flatMap(([eventType, told]) => {
    const [type = null] = told;
    return told.size === 1 && type !== null ? [[eventType, type] as const] : [];
  }),
);
