import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  commandContext,
  CurrentCaller,
  RequirePermission,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { PaymentIntentReader } from '../../payment-intents/api/payment-intent.reader';
import { AttributeTransaction } from '../commands/attribute-transaction.command';
import { NameTransactionDto, TRANSACTION_OPERATIONS } from './payment-transaction.contract';
import { presentTransactionClaim } from './transaction-claim.presenter';

const ACCEPTED = 202;

type StatusSetter = { status(code: number): unknown };

/** The fallback by hash: somebody names the transaction that paid. */
@Tagged('Payment intents')
@Controller('v1/payment_intents')
export class PaymentTransactionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly payments: PaymentIntentReader,
  ) {}

  @Post(':id/transaction')
  @RequireScope('payment:create')
  @RequirePermission('transfer.attribute')
  @Documented(TRANSACTION_OPERATIONS.name)
  async name(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: NameTransactionDto,
    @Res({ passthrough: true }) reply: StatusSetter,
  ) {
    const named = { text: body.tx_hash, logIndex: body.log_index ?? null };
    const context = commandContext(caller, 'merchant');
    const outcome = await this.commands.execute(new AttributeTransaction(id, named, 'merchant', context));
    if (outcome.kind === 'attributed') return this.payments.get(caller, id);
    reply.status(ACCEPTED);
    return presentTransactionClaim(outcome, caller.mode);
  }
}
