import { paymentSettings } from '../../../vocabulary/payment-settings';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SelectMethod } from '../commands/select-method.command';
import { invariant } from '../../../kernel/invariant';
import {
  AsksMethods,
  ChecksBody,
  CurrentCaller,
  RequirePermission,
  RequireScope,
  commandContext,
  type Caller,
} from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { checkMetadata } from '../../../kernel/metadata';
import { CancelPaymentIntent } from '../commands/cancel-payment-intent.command';
import { CreatePaymentIntent } from '../commands/create-payment-intent.command';
import { DecideReview } from '../commands/decide-review.command';
import { PaymentIntentReader } from './payment-intent.reader';
import {
  AcceptDto,
  checkOrder,
  CreatePaymentIntentDto,
  PAYMENT_INTENT_OPERATIONS,
  ResolveDto,
  SelectMethodDto,
} from './payment-intents.contract';

@Tagged('Payment intents')
@Controller('v1/payment_intents')
export class PaymentIntentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: PaymentIntentReader,
  ) {}

  @Post()
  @RequireScope('payment:create')
  @ChecksBody(checkOrder)
  @Documented(PAYMENT_INTENT_OPERATIONS.create)
  async create(@CurrentCaller() caller: Caller, @Body() body: CreatePaymentIntentDto) {
    const account = paymentSettings(caller);
    const order = {
      amountMinorUnits: BigInt(body.amount),
      currency: body.currency,
      metadata: checkMetadata(body.metadata ?? {}),
      description: body.description ?? null,
      successUrl: body.success_url ?? account.defaultSuccessUrl,
      account,
    };
    const created = await this.commands.execute(new CreatePaymentIntent(order, commandContext(caller, 'api')));
    return this.reader.present(caller, created.id, created.history);
  }

  @Get()
  @RequireScope('payment:read')
  @Documented(PAYMENT_INTENT_OPERATIONS.list)
  async list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @RequireScope('payment:read')
  @Documented(PAYMENT_INTENT_OPERATIONS.get)
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    return this.reader.get(caller, id);
  }

  @Get(':id/events')
  @RequireScope('payment:read')
  @Documented(PAYMENT_INTENT_OPERATIONS.events)
  async events(@CurrentCaller() caller: Caller, @Param('id') id: string, @Query() query: Record<string, unknown>) {
    return this.reader.history(caller, id, query);
  }

  @Post(':id/select_method')
  @AsksMethods()
  @RequireScope('payment:create')
  @Documented(PAYMENT_INTENT_OPERATIONS.selectMethod)
  async selectMethod(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: SelectMethodDto) {
    const context = commandContext(caller, 'api');
    const { methodTerms } = caller;
    invariant(methodTerms !== null, 'the route asks for them');
    const command = new SelectMethod(id, body.token_id, body.wallet_id, methodTerms, context);
    return this.reader.present(caller, id, await this.commands.execute(command));
  }

  @Post(':id/cancel')
  @RequireScope('payment:create')
  @RequirePermission('payment.cancel')
  @Documented(PAYMENT_INTENT_OPERATIONS.cancel)
  async cancel(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    const history = await this.commands.execute(new CancelPaymentIntent(id, commandContext(caller, 'merchant')));
    return this.reader.present(caller, id, history);
  }

  @Post(':id/accept')
  @RequireScope('payment:create')
  @RequirePermission('payment.decide')
  @Documented(PAYMENT_INTENT_OPERATIONS.accept)
  async accept(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: AcceptDto) {
    const decision = { type: 'accept', note: body.note ?? null } as const;
    const review = new DecideReview(id, decision, commandContext(caller, 'merchant'));
    return this.reader.present(caller, id, await this.commands.execute(review));
  }

  @Post(':id/resolve')
  @RequireScope('payment:create')
  @RequirePermission('payment.decide')
  @Documented(PAYMENT_INTENT_OPERATIONS.resolve)
  async resolve(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: ResolveDto) {
    const decision = { type: 'resolve', resolution: body.resolution, note: body.note } as const;
    const review = new DecideReview(id, decision, commandContext(caller, 'merchant'));
    return this.reader.present(caller, id, await this.commands.execute(review));
  }
}
