import type { DecisionContext } from '../../kernel/decider';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { ACTOR_ROLES } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import { forbiddenTrigger, refusedTrigger } from './payment-intent.refused-triggers';
import type { PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';
import { TRANSITIONS, type Transition, type Trigger } from './payment-intent.transitions';

/**
 * The one gate of every edge. The checks come in this order: the payment exists, the actor is known, the state has the
 * edge, the edge is the actor's.
 */
export function permit(
  state: PaymentIntent,
  trigger: Trigger,
  context: DecisionContext,
  refusalWithoutEdge: ErrorCode = 'invalid_state_transition',
): Transition {
  const { status } = state;
  if (status === 'none' && trigger !== 'create') throw refuse('payment_not_found');
  if (!ACTOR_ROLES.includes(context.actor.role)) throw refuse('invalid_actor');
  const transition = TRANSITIONS[status][trigger];
  if (!transition) {
    invariant(status !== 'none', 'a payment that does not exist can be created');
    throw refuse(refusalWithoutEdge, { message: refusedTrigger(status, trigger) });
  }
  if (!transition.actors.includes(context.actor.role))
    throw refuse('forbidden_actor', { message: forbiddenTrigger(status, trigger, transition) });
  return transition;
}

/** Whether the state has the edge, for any actor. */
export function allows({ status }: PaymentIntent, trigger: Trigger): boolean {
  return TRANSITIONS[status][trigger] !== undefined;
}

/** Past its permission every edge but the first two starts from a payment with a quote. */
export function quoted(state: PaymentIntent): QuotedPaymentIntent {
  invariant(state.status !== 'none' && state.quote !== null, `a payment in ${state.status} has no quote`);
  return state;
}
