import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { refuse } from '../../../vocabulary/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { ExchangeHostedAddresses } from '../exchange-hosted';
import { exchangeWalletId } from '../exchange-wallet.decider';
import { exchangeWalletsReadModel } from '../exchange-wallets.read-model';
import { walletRegistration, type WalletTerms } from '../wallet-registration';
import { wallets } from '../wallet.decider';

/** Answers the wallet's id. */
export class RegisterWallet extends Command<string> {
  constructor(
    readonly terms: WalletTerms,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RegisterWallet)
export class RegisterWalletHandler implements ICommandHandler<RegisterWallet> {
  constructor(
    private readonly writePath: WritePath,
    private readonly exchangeHosted: ExchangeHostedAddresses,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ terms, context }: RegisterWallet): Promise<string> {
    const { merchantId, universe } = context;
    const { walletId, registration } = walletRegistration(terms, merchantId, universe, this.exchangeHosted);
    const listedId = exchangeWalletId(registration.network_id, registration.address);
    const listed = await this.readModels.get(exchangeWalletsReadModel, 'platform', listedId);
    if (listed?.body.active) throw refuse('wallet_exchange_hosted', { param: 'address' });
    await this.writePath.execute(wallets, walletId, { type: 'register', registration }, context);
    return walletId;
  }
}
