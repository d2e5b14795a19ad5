import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { held, HISTORIES, rejected, released, reviewRejected } from './histories';

/** A history, with the decisions that its payment waits for. */
type WaitingHistory = {
  readonly name: string;
  readonly events: readonly PaymentIntentEvent[];
  /** The open review; null where nobody has to decide. */
  readonly decision: 'underpaid' | 'paid_late' | null;
  /** The hold that stops the payment; null where none does. */
  readonly hold: 'open' | 'rejected' | null;
};

const HOLDABLE = ['confirming', 'underpaid', 'paid_late'] as const;
const REVIEWS = ['underpaid', 'paid_late'] as const;

const reviewOf = (status: string): WaitingHistory['decision'] => REVIEWS.find(review => review === status) ?? null;

/** Every status, and every status that can be held with each end of its hold and of its review. */
export const WAITING_HISTORIES: readonly WaitingHistory[] = [
  ...STATUSES.map(status => {
    const hold = status === 'failed' ? ('rejected' as const) : null;
    return { name: status, events: HISTORIES[status], decision: reviewOf(status), hold };
  }),
  ...HOLDABLE.flatMap((status): WaitingHistory[] => {
    const [events, decision] = [HISTORIES[status], reviewOf(status)];
    return [
      { name: `${status}, held`, events: [...events, held], decision, hold: 'open' },
      { name: `${status}, released`, events: [...events, held, released], decision, hold: null },
      { name: `${status}, hold rejected`, events: [...events, held, rejected], decision: null, hold: 'rejected' },
    ];
  }),
  ...REVIEWS.flatMap((status): WaitingHistory[] => {
    const events = HISTORIES[status];
    const decided = { decision: null } as const;
    return [
      { name: `${status}, rejected`, events: [...events, reviewRejected], ...decided, hold: null },
      { name: `${status}, held, rejected`, events: [...events, held, reviewRejected], ...decided, hold: 'open' },
      {
        name: `${status}, hold and review rejected`,
        events: [...events, held, rejected, reviewRejected],
        ...decided,
        hold: 'rejected',
      },
    ];
  }),
];
