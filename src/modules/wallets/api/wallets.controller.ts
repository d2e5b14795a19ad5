import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { commandContext, CurrentCaller, HighRisk, RequireScope, type Caller } from '../../../platform/http/caller';
import { listPage, parsePage } from '../../../platform/http/lists';
import { walletsProjection } from '../../../../projections/wallets/wallets.projection';
import { IssueWalletChallenge } from '../commands/issue-wallet-challenge.command';
import { RegisterWallet } from '../commands/register-wallet.command';
import { VerifyWallet } from '../commands/verify-wallet.command';
import { GetWallet } from '../queries/get-wallet.query';
import { RegisterWalletDto, VerifyWalletDto, WalletChallengeDto } from './wallet.dto';
import { presentWallet, type WalletResource } from './wallet.presenter';

@ApiTags('Wallets')
@Controller('v1/wallets')
export class WalletsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Post()
  @RequireScope('wallet:manage')
  @HighRisk('wallet.create')
  @ApiOperation({ summary: 'Register a receiving address; it gets no quotes until it is verified' })
  async register(@CurrentCaller() caller: Caller, @Body() body: RegisterWalletDto): Promise<WalletResource> {
    const { network_id: networkId, address, label, controls_private_key: controlsPrivateKey } = body;
    const terms = { networkId, address, label, controlsPrivateKey };
    const id = await this.commands.execute(new RegisterWallet(terms, commandContext(caller, 'merchant')));
    return this.present(id, caller);
  }

  @Get()
  @RequireScope('wallet:read')
  @ApiOperation({ summary: 'List the wallets of this mode, newest first' })
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    const equals = { merchant_id: caller.merchantId, mode: caller.mode };
    return listPage(
      this.readModels,
      walletsProjection,
      { index: 'by_merchant', equals, order: ['created', 'id'] },
      parsePage(query, []),
      { url: '/v1/wallets', present: presentWallet },
    );
  }

  @Get(':id')
  @RequireScope('wallet:read')
  @ApiOperation({ summary: 'Retrieve a wallet' })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WalletResource> {
    return this.present(id, caller);
  }

  @Post(':id/challenge')
  @RequireScope('wallet:manage')
  @ApiOperation({ summary: 'Ask for the text to sign; it can be answered for 30 minutes' })
  async challenge(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: WalletChallengeDto) {
    const command = new IssueWalletChallenge(id, body.method, commandContext(caller, 'merchant'));
    const { challenge, expires_at } = await this.commands.execute(command);
    return { challenge, expires_at };
  }

  @Post(':id/verify')
  @RequireScope('wallet:manage')
  @HighRisk('wallet.verify')
  @ApiOperation({ summary: 'Prove control of the address by its signature under the challenge' })
  async verify(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { method, signature = null, challenge = null }: VerifyWalletDto,
  ): Promise<WalletResource> {
    const proof = { method, signature, challenge };
    await this.commands.execute(new VerifyWallet(id, proof, commandContext(caller, 'merchant')));
    return this.present(id, caller);
  }

  private async present(id: string, caller: Caller): Promise<WalletResource> {
    return presentWallet(await this.queries.execute(new GetWallet(caller.merchantId, caller.mode, id)));
  }
}
