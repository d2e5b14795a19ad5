import { Module } from '@nestjs/common';
import { ExportFiles } from '../exports/api/export-files';
import { ExportsModule } from '../exports/exports.module';
import { AuditExports } from './api/audit-exports';
import { AuditController } from './api/audit.controller';
import { AuditReader } from './api/audit.reader';
import { AuditLog } from './audit-log';

@Module({
  imports: [ExportsModule],
  controllers: [AuditController],
  providers: [
    { provide: AuditReader, inject: [AuditLog], useFactory: (log: AuditLog) => new AuditReader(log) },
    {
      provide: AuditExports,
      inject: [AuditReader, ExportFiles],
      useFactory: (reader: AuditReader, files: ExportFiles) => new AuditExports(reader, files),
    },
  ],
  exports: [AuditReader, AuditExports],
})
export class AuditModule {}
