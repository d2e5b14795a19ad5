import { isoTime } from '../../dist/src/kernel/clock.js';
import { paymentIntents } from '../../dist/src/modules/payment-intents/payment-intent.decider.js';
import { contextOf } from '../../dist/bench/payment-commands.js';

/** As long as the hashes of the service's own chain, which the peer does not compute. */
const HASH = '0'.repeat(64);

export const initialState = () => paymentIntents.initial;
export const evolve = (state, event) => paymentIntents.evolve(state, event);

/** The service's own decision; its events carry metadata of the same fields and bytes as the service's. */
export function decided(step, state) {
  const context = contextOf(step);
  const metadata = {
    actor: context.actor,
    merchant_id: context.merchantId,
    mode: context.universe,
    command_id: context.commandId,
    request_id: context.requestId,
    correlation_id: context.correlationId,
    causation_id: context.causationId,
    occurred_at: isoTime(context.now),
    recorded_at: isoTime(context.now),
    ip: context.ip,
    schema: 1,
    prev_hash: HASH,
    hash: HASH,
  };
  return paymentIntents.decide(step.command, state, context).map(({ type, data }) => ({ type, data, metadata }));
}
