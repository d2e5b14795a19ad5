import { CommandBus } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../src/kernel/command-context';
import { randomUuid } from '../../../src/kernel/entropy';
import { streamName, type DomainEvent } from '../../../src/kernel/event';
import { Administration, type AdminOfRequest } from '../../../src/modules/administration/api/administration';
import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import { DecideAction } from '../../../src/modules/approvals/approval.command';
import type { AdminActor } from '../../../src/vocabulary/admin-roles';
import { isRefusal, type ErrorCode } from '../../../src/vocabulary/errors';
import type { JsonObject } from '../../../src/vocabulary/json';
import type { Universe } from '../../../src/vocabulary/modes';
import type { ApiInstance, ApiStage } from '../../support/api-stage';
import { tellEvents } from '../../support/tell-events';

/** An action as a test sends it: the id of its path, and its body. */
export type Sent = { readonly id: string | null; readonly body: JsonObject };

/** Administrators over the service's own parts, who act without HTTP. */
export class AdminStage {
  readonly administration: Administration;
  private readonly commands: CommandBus;

  constructor(
    private readonly stage: ApiStage,
    { app }: ApiInstance,
  ) {
    this.administration = app.get(Administration);
    this.commands = app.get(CommandBus);
  }

  as(admin: AdminActor): AdminOfRequest {
    const { clock, core } = this.stage;
    const [now, commandId] = [clock.now(), `request_${randomUuid(core.entropy)}`];
    const context: PlatformContext<'platform'> = {
      ...{ commandId, universe: 'platform', merchantId: null, startedAt: now, now, requestId: null },
      ...{ correlationId: commandId, causationId: null, ip: null },
      actor: { role: 'admin', type: 'admin', id: admin.id },
    };
    return { admin, context };
  }

  propose(action: AdminAction, { id, body }: Sent, admin: AdminActor, target = id ?? ''): Promise<string> {
    return this.administration.propose({ permission: action.permission, target, body }, this.as(admin));
  }

  approve(approvalId: string, admin: AdminActor): Promise<void> {
    return this.commands.execute(new DecideAction(approvalId, 'approve', 'Seen.', admin, this.as(admin).context));
  }

  carryOut(action: AdminAction, { id, body }: Sent, admin: AdminActor, approvalId?: string) {
    const sent = approvalId === undefined ? body : { ...body, approval_id: approvalId };
    return this.administration.carryOut(action, { id, body: sent }, this.as(admin));
  }

  preview(action: AdminAction, sent: Sent, admin: AdminActor) {
    return this.administration.preview(action, sent, admin);
  }

  tell(stream: string, events: readonly DomainEvent[], merchant: string): Promise<void> {
    return tellEvents(this.stage.core.store, stream, events, { merchant, atMs: this.stage.clock.now() - 600_000 });
  }

  /** The newest event of a stream, with its actor. */
  async newest(universe: Universe, category: string, id: string) {
    const event = (await this.stage.core.store.readStream(streamName(universe, category, id))).at(-1);
    return event && { type: event.type, data: event.data, actor: event.metadata.actor };
  }
}

/** The code that the work is refused with; null where it is done. */
export async function refusalOf(work: Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}
