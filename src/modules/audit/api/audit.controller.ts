import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { FileAnswer } from '../../../platform/http/file-answer';
import type { ListEnvelope } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { AuditExports } from './audit-exports';
import { AUDIT_OPERATIONS, type AuditEntryResource } from './audit.contract';
import { AuditReader } from './audit.reader';

type Asked = Readonly<Record<string, unknown>>;

@Tagged('Audit log')
@Controller('admin')
export class AuditController {
  constructor(
    private readonly reader: AuditReader,
    private readonly exports: AuditExports,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get('audit_entries')
  @AdminRoute({ permission: 'audit.read' })
  @Documented(AUDIT_OPERATIONS.list)
  list(@Query() query: Asked): Promise<ListEnvelope<AuditEntryResource>> {
    return this.reader.list(query);
  }

  @Get('exports/audit')
  @AdminRoute({ permission: 'audit.read' })
  @Documented(AUDIT_OPERATIONS.export)
  export(@CurrentAdmin() { admin }: AdmittedAdmin, @Query() query: Asked): Promise<FileAnswer> {
    return this.exports.begin(admin.id, query, this.clock.now());
  }
}
