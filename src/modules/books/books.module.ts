import { Module } from '@nestjs/common';
import { ReconciliationReader } from './api/reconciliation.reader';
import { ReconciliationsController } from './api/reconciliations.controller';

@Module({ controllers: [ReconciliationsController], providers: [ReconciliationReader] })
export class BooksModule {}
