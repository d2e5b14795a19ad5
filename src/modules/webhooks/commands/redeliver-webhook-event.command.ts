import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { Document } from '../../../kernel/ports/documents';
import type { DeliveryRow } from '../delivery-row';
import type { WebhookEventDocument } from '../webhook-events.read-model';

export type Redelivered = {
  /** The event as it was before. */
  readonly event: Document<WebhookEventDocument>;
  /** Its delivery to the endpoint: with the attempt, or as it stands where the wait has timed out. */
  readonly delivery: DeliveryRow;
};

/**
 * One attempt now, beside the schedule. Resolves when the attempt is recorded, whether or not it succeeded, and after
 * 25 s where others are ahead of it. Throws Refusal resource_missing for another merchant's event, unknown_endpoint,
 * invalid_state_transition for a disabled endpoint, and attempt_exhausted.
 */
export class RedeliverWebhookEvent extends Command<Redelivered> {
  constructor(
    readonly eventId: string,
    readonly endpointId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
