import { Module } from '@nestjs/common';
import { WalletsController } from './api/wallets.controller';
import { AskMicroDepositHandler } from './commands/ask-micro-deposit.command';
import { AwaitMicroDepositHandler } from './commands/await-micro-deposit.command';
import { ChangeWalletHandler } from './commands/change-wallet.command';
import { IssueWalletChallengeHandler } from './commands/issue-wallet-challenge.command';
import { RegisterWalletHandler } from './commands/register-wallet.command';
import { VerifyWalletHandler } from './commands/verify-wallet.command';
import exchangeHostedAddresses from './exchange-hosted-addresses.json';
import { ExchangeHostedAddresses } from './exchange-hosted';
import { GetWalletWithProofHandler } from './queries/get-wallet-with-proof.query';

/** The composition root provides MESSAGE_SIGNATURES, VERIFICATION_ADDRESSES and CHALLENGE_DOMAIN. */
@Module({
  controllers: [WalletsController],
  providers: [
    RegisterWalletHandler,
    ChangeWalletHandler,
    IssueWalletChallengeHandler,
    VerifyWalletHandler,
    AskMicroDepositHandler,
    AwaitMicroDepositHandler,
    GetWalletWithProofHandler,
    { provide: ExchangeHostedAddresses, useFactory: () => ExchangeHostedAddresses.from(exchangeHostedAddresses) },
  ],
})
export class WalletsModule {}
