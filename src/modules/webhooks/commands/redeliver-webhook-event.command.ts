import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { Document } from '../../../kernel/ports/documents';
import type { WebhookEventDocument } from '../webhook-events.read-model';

/**
 * One attempt now, beside the schedule. Resolves when the attempt is recorded, whether or not it succeeded, and after
 * 25 s where others are ahead of it. Answers the event's document, as it was before. Throws Refusal resource_missing
 * for another merchant's event, unknown_endpoint, invalid_state_transition for a disabled endpoint, and
 * attempt_exhausted.
 */
export class RedeliverWebhookEvent extends Command<Document<WebhookEventDocument>> {
  constructor(
    readonly eventId: string,
    readonly endpointId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
