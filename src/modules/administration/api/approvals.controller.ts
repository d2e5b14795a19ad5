import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { Reason } from '../../../platform/http/fields/admin-fields';
import { Text } from '../../../platform/http/fields/text-fields';
import { AnyObject } from '../../../platform/http/fields/value-fields';
import type { ListEnvelope } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import type { JsonObject } from '../../../vocabulary/json';
import { ApprovalReader } from './approval.reader';
import { APPROVAL_OPERATIONS, type ApprovalResource } from './approvals.contract';
import { DecideAction } from '../../approvals/approval.command';
import { Administration } from './administration';
import { SentBody } from './sent-body';

class ProposeActionDto {
  @Text({ description: 'The permission of the action', example: 'hold.release' })
  permission!: string;

  @Text({ description: 'The object of the action, by its id' })
  target!: string;

  @AnyObject('parameter_invalid')
  body!: object;
}

class DecideActionDto {
  @Reason()
  note!: string;
}

type SentProposal = { readonly permission: string; readonly target: string; readonly body: JsonObject };

@Tagged('Approvals')
@Controller('admin/approvals')
export class ApprovalsController {
  constructor(
    private readonly administration: Administration,
    private readonly approvals: ApprovalReader,
    private readonly commands: CommandBus,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ permission: 'console.read' })
  @Documented(APPROVAL_OPERATIONS.list)
  list(@Query() query: Record<string, unknown>): Promise<ListEnvelope<ApprovalResource>> {
    return this.approvals.list(query, this.clock.now());
  }

  @Get(':id')
  @AdminRoute({ permission: 'console.read' })
  @Documented(APPROVAL_OPERATIONS.get)
  get(@Param('id') id: string): Promise<ApprovalResource> {
    return this.approvals.get(id, this.clock.now());
  }

  /** The runner asks for the permission of the action. */
  @Post()
  @AdminRoute({ permission: null })
  @Documented(APPROVAL_OPERATIONS.propose)
  async propose(
    @CurrentAdmin() admin: AdmittedAdmin,
    @Body() { permission, target }: ProposeActionDto,
    @SentBody() sent: JsonObject,
  ): Promise<ApprovalResource> {
    const { body } = sent as SentProposal;
    return this.get(await this.administration.propose({ permission, target, body }, admin));
  }

  @Post(':id/approve')
  @AdminRoute({ permission: null, highRisk: 'approval.approve' })
  @Documented(APPROVAL_OPERATIONS.approve)
  approve(@CurrentAdmin() admin: AdmittedAdmin, @Param('id') id: string, @Body() body: DecideActionDto) {
    return this.decide('approve', admin, id, body);
  }

  @Post(':id/deny')
  @AdminRoute({ permission: null })
  @Documented(APPROVAL_OPERATIONS.deny)
  deny(@CurrentAdmin() admin: AdmittedAdmin, @Param('id') id: string, @Body() body: DecideActionDto) {
    return this.decide('deny', admin, id, body);
  }

  @Post(':id/withdraw')
  @AdminRoute({ permission: null })
  @Documented(APPROVAL_OPERATIONS.withdraw)
  withdraw(@CurrentAdmin() admin: AdmittedAdmin, @Param('id') id: string, @Body() body: DecideActionDto) {
    return this.decide('withdraw', admin, id, body);
  }

  private async decide(
    decision: 'approve' | 'deny' | 'withdraw',
    { admin, context }: AdmittedAdmin,
    id: string,
    { note }: DecideActionDto,
  ): Promise<ApprovalResource> {
    await this.commands.execute(new DecideAction(id, decision, note, admin, context));
    return this.get(id);
  }
}
