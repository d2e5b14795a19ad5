import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { merchants } from '../merchant.decider';

type Limits = { readonly ceilingUsdMinorUnits: bigint; readonly feeBps: number };

/** The ceiling holds for payments from the next one on, and the rate for fees that are booked from now on. */
export class SetMerchantLimits extends Command<void> {
  constructor(
    readonly limits: Limits,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(SetMerchantLimits)
export class SetMerchantLimitsHandler implements ICommandHandler<SetMerchantLimits> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal merchant_not_found, invalid_amount or invalid_bps, in this order. */
  async execute({ limits, context }: SetMerchantLimits): Promise<void> {
    const { ceilingUsdMinorUnits, feeBps: bps } = limits;
    const command = { type: 'set_limits', ceilingUsdMinorUnits, bps } as const;
    await this.writePath.execute(merchants, context.merchantId, command, context);
  }
}
