import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isoTime, type Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import type { ClockStanding } from '../../../vocabulary/clock-standing';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import { commandContext, CurrentCaller, RequireKey, TestKeysOnly, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { AdvanceSandboxClock } from '../commands/advance-sandbox-clock.command';
import { SendSandboxTransfer, type SandboxOrder, type SentTransfer } from '../commands/send-sandbox-transfer.command';
import {
  AdvanceSandboxClockDto,
  goalOf,
  SANDBOX_OPERATIONS,
  SendSandboxTransferDto,
  type SandboxClockResource,
  type SandboxTransferResource,
} from './sandbox.contract';

@Tagged('Sandbox')
@TestKeysOnly()
@Controller('v1/sandbox')
export class SandboxController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.clock) private readonly wall: Clock,
  ) {}

  @Get('clock')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.getClock)
  clock(@CurrentCaller() { clock }: Caller): SandboxClockResource {
    return this.presentClock(clock);
  }

  @Post('clock')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.advanceClock)
  async advance(@CurrentCaller() caller: Caller, @Body() body: AdvanceSandboxClockDto): Promise<SandboxClockResource> {
    const command = new AdvanceSandboxClock(goalOf(body), commandContext(caller, 'merchant'));
    return this.presentClock(await this.commands.execute(command));
  }

  @Post('transfers')
  @RequireKey()
  @Documented(SANDBOX_OPERATIONS.send)
  async send(@CurrentCaller() caller: Caller, @Body() body: SendSandboxTransferDto): Promise<SandboxTransferResource> {
    const { payment_intent: paymentIntent, outcome, token_amount: tokenAmount = null, claim = true } = body;
    const order = { paymentIntent, outcome, tokenAmount, namesTransaction: claim };
    const sent = await this.commands.execute(new SendSandboxTransfer(order, commandContext(caller, 'merchant')));
    return presentSandboxTransfer(order, sent);
  }

  private presentClock({ aheadMs, advancedAt }: ClockStanding): SandboxClockResource {
    const now = isoTime(this.wall.now() + aheadMs);
    return { object: 'sandbox_clock', mode: 'test', now, advanced_ms: aheadMs, advanced_at: advancedAt };
  }
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
