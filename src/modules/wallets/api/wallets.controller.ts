import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../../kernel/event';
import { foldedDocument } from '../../../kernel/folded-document';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  HighRisk,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { getOwn, listOwn } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { AskMicroDeposit } from '../commands/ask-micro-deposit.command';
import { AwaitMicroDeposit } from '../commands/await-micro-deposit.command';
import { ChangeWallet } from '../commands/change-wallet.command';
import { IssueWalletChallenge } from '../commands/issue-wallet-challenge.command';
import { RegisterWallet } from '../commands/register-wallet.command';
import { VerifyWallet } from '../commands/verify-wallet.command';
import { walletsReadModel } from '../wallets.read-model';
import { presentChallenge, presentWallet } from './wallet.presenter';
import {
  ChangeWalletDto,
  checkDetails,
  checkProof,
  checkWalletTerms,
  RegisterWalletDto,
  VerifyWalletDto,
  WALLET_OPERATIONS,
  WalletChallengeDto,
  walletDetails,
  walletTerms,
  type ChallengeResource,
  type WalletResource,
} from './wallets.contract';

@Tagged('Wallets')
@Controller('v1/wallets')
export class WalletsController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Post()
  @RequireScope('wallet:manage')
  @HighRisk('wallet.create')
  @ChecksBody(checkWalletTerms)
  @Documented(WALLET_OPERATIONS.register)
  async register(@CurrentCaller() caller: Caller, @Body() body: RegisterWalletDto): Promise<WalletResource> {
    const id = await this.commands.execute(new RegisterWallet(walletTerms(body), commandContext(caller, 'merchant')));
    return this.present(id, caller);
  }

  @Get()
  @RequireScope('wallet:read')
  @Documented(WALLET_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return listOwn(this.readModels, walletsReadModel, caller, query, { url: '/v1/wallets', present: presentWallet });
  }

  @Get(':id')
  @RequireScope('wallet:read')
  @Documented(WALLET_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WalletResource> {
    return this.present(id, caller);
  }

  @Post(':id')
  @RequireScope('wallet:manage')
  @HighRisk('wallet.change')
  @ChecksBody(checkDetails)
  @Documented(WALLET_OPERATIONS.change)
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeWalletDto,
  ): Promise<WalletResource> {
    const command = new ChangeWallet(id, walletDetails(body), commandContext(caller, 'merchant'));
    return this.written(id, await this.commands.execute(command));
  }

  @Post(':id/challenge')
  @RequireScope('wallet:manage')
  @Documented(WALLET_OPERATIONS.challenge)
  async challenge(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { method }: WalletChallengeDto,
  ): Promise<ChallengeResource> {
    const context = commandContext(caller, 'merchant');
    if (method === 'micro_deposit') {
      return presentChallenge(await this.commands.execute(new AskMicroDeposit(id, context)));
    }
    return presentChallenge(await this.commands.execute(new IssueWalletChallenge(id, context)));
  }

  @Post(':id/verify')
  @RequireScope('wallet:manage')
  @HighRisk('wallet.verify')
  @ChecksBody(checkProof)
  @Documented(WALLET_OPERATIONS.verify)
  async verify(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { method, signature = null, challenge = null }: VerifyWalletDto,
  ): Promise<WalletResource> {
    const context = commandContext(caller, 'merchant');
    if (method === 'micro_deposit')
      return this.written(id, await this.commands.execute(new AwaitMicroDeposit(id, context)));
    return this.written(id, await this.commands.execute(new VerifyWallet(id, { signature, challenge }, context)));
  }

  /** The wallet as a command of its merchant has just left it. */
  private written(id: string, history: readonly RecordedEvent[]): WalletResource {
    return presentWallet(foldedDocument(this.readModels, walletsReadModel, id, history));
  }

  private async present(id: string, caller: Caller): Promise<WalletResource> {
    const named = { prefix: 'wal', id, notFound: 'wallet_not_found' } as const;
    return presentWallet(await getOwn(this.readModels, walletsReadModel, caller, named));
  }
}
