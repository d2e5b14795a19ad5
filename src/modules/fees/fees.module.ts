import { Module } from '@nestjs/common';
import { FeeInvoicesController } from './api/fee-invoices.controller';
import { FeesController } from './api/fees.controller';

@Module({ controllers: [FeesController, FeeInvoicesController] })
export class FeesModule {}
