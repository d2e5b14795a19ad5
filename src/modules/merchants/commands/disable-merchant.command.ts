import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { merchants } from '../merchant.decider';

/** The merchant's keys stop authenticating with the next request. `context` names the merchant. */
export class DisableMerchant extends Command<void> {
  constructor(
    readonly reason: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Takes a disabling back: the keys work again as before. */
export class EnableMerchant extends Command<void> {
  constructor(
    readonly reason: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/**
 * Ends an account for good. Its keys read from then on, and make nothing new. Payments under way are carried on, and
 * their webhooks are sent.
 */
export class CloseMerchant extends Command<void> {
  constructor(
    readonly reason: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(DisableMerchant)
export class DisableMerchantHandler implements ICommandHandler<DisableMerchant> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ reason, context }: DisableMerchant): Promise<void> {
    await this.writePath.execute(merchants, context.merchantId, { type: 'disable', reason }, context);
  }
}

@CommandHandler(EnableMerchant)
export class EnableMerchantHandler implements ICommandHandler<EnableMerchant> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ reason, context }: EnableMerchant): Promise<void> {
    await this.writePath.execute(merchants, context.merchantId, { type: 'enable', reason }, context);
  }
}

@CommandHandler(CloseMerchant)
export class CloseMerchantHandler implements ICommandHandler<CloseMerchant> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ reason, context }: CloseMerchant): Promise<void> {
    await this.writePath.execute(merchants, context.merchantId, { type: 'close', reason }, context);
  }
}
