import { Controller, Get, Param, Query } from '@nestjs/common';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { StreamReader } from '../stream-reader';
import type { StreamView } from '../stream-view';
import { askedMoment } from './asked-moment';
import { STREAM_OPERATIONS } from './streams.contract';

@Tagged('State of the service')
@Controller('admin/streams')
export class StreamsController {
  constructor(private readonly streams: StreamReader) {}

  @Get(':stream')
  @AdminRoute({ permission: 'console.read' })
  @Documented(STREAM_OPERATIONS.get)
  async get(
    @CurrentAdmin() { admin }: AdmittedAdmin,
    @Param('stream') stream: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<StreamView> {
    return this.streams.viewFor(admin.role, stream, askedMoment(query));
  }
}
