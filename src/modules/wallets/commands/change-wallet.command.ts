import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { WritePath } from '../../../kernel/write-path';
import { wallets } from '../wallet.decider';
import type { WalletChanged } from '../wallet.events';

/**
 * Gives a wallet another label, or declares whether it is dedicated to this service. A quote keeps the declaration
 * under which it was made. Answers the wallet's stream. Throws Refusal wallet_not_found, and rate_limit after very many
 * changes.
 */
export class ChangeWallet extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly walletId: string,
    /** A detail that is left out stays as it is. */
    readonly details: Partial<WalletChanged['data']>,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeWallet)
export class ChangeWalletHandler implements ICommandHandler<ChangeWallet> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ walletId, details, context }: ChangeWallet): Promise<readonly RecordedEvent[]> {
    return (await this.writePath.execute(wallets, walletId, { type: 'change', details }, context)).history;
  }
}
