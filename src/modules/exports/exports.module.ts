import { Module } from '@nestjs/common';
import { ExportFiles } from './api/export-files';
import { ExportsController } from './api/exports.controller';

@Module({ controllers: [ExportsController], providers: [ExportFiles], exports: [ExportFiles] })
export class ExportsModule {}
