import { Controller, Get, Param, Query } from '@nestjs/common';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import type { ListEnvelope } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import { isGroupName } from '../group-names';
import { SystemReads, type GroupView, type ParkedMessageView } from '../system-reads';
import { SYSTEM_OPERATIONS } from './system.contract';
import { wholeList } from './whole-list';

type Asked = Readonly<Record<string, unknown>>;

/** The groups of competing consumers, and the messages that they have parked. */
@Tagged('State of the service')
@Controller('admin/system')
export class GroupsController {
  constructor(private readonly system: SystemReads) {}

  @Get('groups')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.groups)
  async groups(@Query() query: Asked): Promise<ListEnvelope<GroupView>> {
    return wholeList('groups', query, await this.system.groups());
  }

  @Get('groups/:group/parked')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.parked)
  async parked(@Param('group') group: string, @Query() query: Asked): Promise<ListEnvelope<ParkedMessageView>> {
    if (!isGroupName(group)) throw refuse('resource_missing', { message: `There is no group ${group}.` });
    return wholeList(`groups/${group}/parked`, query, await this.system.parked(group));
  }
}
