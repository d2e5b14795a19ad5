import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module';
import { AuditController } from './api/audit.controller';
import { AuditReader } from './api/audit.reader';
import { AuditLog } from './audit-log';

@Module({
  imports: [ExportsModule],
  controllers: [AuditController],
  providers: [{ provide: AuditReader, inject: [AuditLog], useFactory: (log: AuditLog) => new AuditReader(log) }],
})
export class AuditModule {}
