import { Module } from '@nestjs/common';
import { ReconciliationsController } from './api/reconciliations.controller';

@Module({ controllers: [ReconciliationsController] })
export class BooksModule {}
