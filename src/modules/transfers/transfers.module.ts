import { Module } from '@nestjs/common';
import { PaymentTransactionController } from './api/payment-transaction.controller';
import { TransactionClaimsController } from './api/transaction-claims.controller';
import { UnmatchedTransferReader } from './api/unmatched-transfer.reader';
import { UnmatchedTransfersController } from './api/unmatched-transfers.controller';
import { ResolveNamingHandler } from './commands/resolve-naming.command';
import {
  SetAsideAsAdministratorHandler,
  SetAsideUnmatchedTransferHandler,
} from './commands/set-aside-unmatched-transfer.command';

@Module({
  controllers: [UnmatchedTransfersController, PaymentTransactionController, TransactionClaimsController],
  providers: [
    UnmatchedTransferReader,
    SetAsideAsAdministratorHandler,
    SetAsideUnmatchedTransferHandler,
    ResolveNamingHandler,
  ],
})
export class TransfersModule {}
