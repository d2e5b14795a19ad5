import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { parseIsoTime } from '../../../kernel/clock';
import { refuse } from '../../../kernel/errors';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { commandContext, CurrentCaller, RequireKey, type Caller } from '../../../platform/http/caller';
import { Documented } from '../../../platform/http/openapi-operation';
import { AdvanceSandboxClock, type ClockGoal } from '../commands/advance-sandbox-clock.command';
import { SendSandboxTransfer } from '../commands/send-sandbox-transfer.command';
import { GetSandboxClock } from '../queries/get-sandbox-clock.query';
import { AdvanceSandboxClockDto, SendSandboxTransferDto } from './sandbox.dto';
import { SANDBOX_OPERATIONS, type SandboxClockResource, type SandboxTransferResource } from './sandbox.operations';
import { presentSandboxClock, presentSandboxTransfer } from './sandbox.presenter';
import { TestKeyGuard } from './test-key.guard';

@ApiTags('Sandbox')
@ApiBearerAuth()
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

function goalOf({ now, advance_ms: byMs }: AdvanceSandboxClockDto): ClockGoal {
  if (now !== undefined && byMs !== undefined) {
    throw refuse('parameter_invalid', { param: 'advance_ms', message: 'Give now or advance_ms, not both.' });
  }
  if (byMs !== undefined) return { type: 'advance', byMs };
  if (now !== undefined) return { type: 'set', nowMs: momentOf(now) };
  throw refuse('parameter_missing', { param: 'now', message: 'Give now or advance_ms.' });
}

function momentOf(text: string): number {
  try {
    return parseIsoTime(canonicalTimestamp(text, 'now'));
  } catch (cause) {
    throw refuse('invalid_now', { param: 'now', cause });
  }
}
