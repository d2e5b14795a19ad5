import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';
import { invariant } from '../../../kernel/invariant';
import { WritePath } from '../../../kernel/write-path';
import { ExchangeHostedAddresses } from '../exchange-hosted';
import { walletRegistration, type WalletTerms } from '../wallet-registration';
import { wallets } from '../wallet.decider';

/** Answers the wallet's id. */
export class RegisterWallet extends Command<string> {
  constructor(
    readonly terms: WalletTerms,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RegisterWallet)
export class RegisterWalletHandler implements ICommandHandler<RegisterWallet> {
  constructor(
    private readonly writePath: WritePath,
    private readonly exchangeHosted: ExchangeHostedAddresses,
  ) {}

  async execute({ terms, context }: RegisterWallet): Promise<string> {
    const { merchantId, universe } = context;
    invariant(merchantId !== null && universe !== 'platform', 'a wallet belongs to a merchant and a mode');
    const { walletId, registration } = walletRegistration(terms, merchantId, universe, this.exchangeHosted);
    await this.writePath.execute(wallets, walletId, { type: 'register', registration }, context);
    return walletId;
  }
}
