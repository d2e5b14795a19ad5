import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { FileAnswer } from '../../../platform/http/file-answer';
import type { ListEnvelope } from '../../../platform/http/lists';
import type { AuditEntryResource } from './audit-entry.resource';
import { AuditExports } from './audit-exports';
import { AuditReader } from './audit.reader';

type Asked = Readonly<Record<string, unknown>>;

@Controller('admin')
export class AuditController {
  constructor(
    private readonly reader: AuditReader,
    private readonly exports: AuditExports,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get('audit_entries')
  @AdminRoute({ permission: 'audit.read' })
  list(@Query() query: Asked): Promise<ListEnvelope<AuditEntryResource>> {
    return this.reader.list(query);
  }

  @Get('exports/audit')
  @AdminRoute({ permission: 'audit.read' })
  export(@CurrentAdmin() { by }: AdmittedAdmin, @Query() query: Asked): Promise<FileAnswer> {
    return this.exports.begin(by.id, query, this.clock.now());
  }
}
