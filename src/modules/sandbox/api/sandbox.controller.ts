import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { isoTime } from '../../../kernel/clock';
import { formatTokenAmount, TOKENS } from '../../../kernel/tokens';
import { commandContext, CurrentCaller, RequireKey, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { AdvanceSandboxClock } from '../commands/advance-sandbox-clock.command';
import { SendSandboxTransfer, type SandboxOrder, type SentTransfer } from '../commands/send-sandbox-transfer.command';
import { GetSandboxClock, type ShownClock } from '../queries/get-sandbox-clock.query';
import {
  AdvanceSandboxClockDto,
  goalOf,
  SANDBOX_OPERATIONS,
  SendSandboxTransferDto,
  type SandboxClockResource,
  type SandboxTransferResource,
} from './sandbox.contract';
import { TestKeyGuard } from './test-key.guard';

@Tagged('Sandbox')
@UseGuards(TestKeyGuard)
@Controller('v1/sandbox')
export class SandboxController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('clock')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.getClock)
  async clock(@CurrentCaller() caller: Caller): Promise<SandboxClockResource> {
    return presentSandboxClock(await this.queries.execute(new GetSandboxClock(caller.merchantId)));
  }

  @Post('clock')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.advanceClock)
  async advance(@CurrentCaller() caller: Caller, @Body() body: AdvanceSandboxClockDto): Promise<SandboxClockResource> {
    await this.commands.execute(new AdvanceSandboxClock(goalOf(body), commandContext(caller, 'merchant')));
    return this.clock(caller);
  }

  @Post('transfers')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.send)
  async send(@CurrentCaller() caller: Caller, @Body() body: SendSandboxTransferDto): Promise<SandboxTransferResource> {
    const { payment_intent: paymentIntent, outcome, token_amount: tokenAmount = null } = body;
    const order = { paymentIntent, outcome, tokenAmount };
    const sent = await this.commands.execute(new SendSandboxTransfer(order, commandContext(caller, 'merchant')));
    return presentSandboxTransfer(order, sent);
  }
}

function presentSandboxClock({ nowMs, aheadMs, advancedAt }: ShownClock): SandboxClockResource {
  const now = isoTime(nowMs);
  return { object: 'sandbox_clock', mode: 'test', now, advanced_ms: aheadMs, advanced_at: advancedAt };
}

function presentSandboxTransfer(order: SandboxOrder, sent: SentTransfer): SandboxTransferResource {
  return {
    object: 'sandbox_transfer',
    mode: 'test',
    payment_intent: order.paymentIntent,
    outcome: order.outcome,
    network_id: sent.networkId,
    tx_hash: sent.txHash,
    token_amount: formatTokenAmount(TOKENS[sent.tokenId], sent.baseUnits),
  };
}
