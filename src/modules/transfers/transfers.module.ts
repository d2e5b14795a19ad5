import { Module } from '@nestjs/common';
import { PaymentTransactionController } from './api/payment-transaction.controller';
import { UnmatchedTransferReader } from './api/unmatched-transfer.reader';
import { UnmatchedTransfersController } from './api/unmatched-transfers.controller';

@Module({
  controllers: [UnmatchedTransfersController, PaymentTransactionController],
  providers: [UnmatchedTransferReader],
})
export class TransfersModule {}
