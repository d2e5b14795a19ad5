import { Controller, Get, Param, Query } from '@nestjs/common';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { Outlined, Tagged } from '../../../platform/http/openapi-operation';
import { StreamReader } from '../stream-reader';
import type { StreamView } from '../stream-view';
import { askedMoment } from './asked-moment';

@Tagged('State of the service')
@Controller('admin/streams')
export class StreamsController {
  constructor(private readonly streams: StreamReader) {}

  @Get(':stream')
  @AdminRoute({ permission: 'console.read' })
  @Outlined('getStream', 'Retrieve a stream as of a revision or a time')
  async get(
    @CurrentAdmin() { by }: AdmittedAdmin,
    @Param('stream') stream: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<StreamView> {
    return this.streams.viewFor(by.role, stream, askedMoment(query));
  }
}
