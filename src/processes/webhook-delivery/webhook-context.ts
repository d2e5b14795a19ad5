import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import type { Actor, Mode, RecordedEvent } from '../../kernel/event';

const WEBHOOKS: Actor = { role: 'sweeper', type: 'system', id: 'webhooks' };

/** A command that follows from a recorded event, for the merchant whose that event is. */
export function webhookContext(entropy: Entropy, mode: Mode, cause: RecordedEvent, now: number): CommandContext {
  const { merchant_id: merchantId, correlation_id: correlationId } = cause.metadata;
  const context = systemContext(entropy, { actor: 'sweeper', mode, merchantId, now, causationId: cause.id });
  return { ...context, actor: WEBHOOKS, correlationId };
}
