import { Module } from '@nestjs/common';
import { FeeInvoicesController } from './api/fee-invoices.controller';
import { FeeReader } from './api/fee.reader';
import { FeesController } from './api/fees.controller';

@Module({ controllers: [FeesController, FeeInvoicesController], providers: [FeeReader] })
export class FeesModule {}
