import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';

/**
 * One attempt now, beside the schedule; resolves when it is recorded, whatever came of it, and after 15 s where others
 * are ahead of it. Throws Refusal resource_missing for an event that is not the merchant's, unknown_endpoint,
 * invalid_state_transition for a disabled endpoint, and attempt_exhausted.
 */
export class RedeliverWebhookEvent extends Command<void> {
  constructor(
    readonly eventId: string,
    readonly endpointId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
