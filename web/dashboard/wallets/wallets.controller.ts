import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Clock } from '../../../src/kernel/clock';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentWallet } from '../../../src/modules/wallets/api/wallet.presenter';
import { AskMicroDeposit } from '../../../src/modules/wallets/commands/ask-micro-deposit.command';
import { ChangeWallet } from '../../../src/modules/wallets/commands/change-wallet.command';
import { IssueWalletChallenge } from '../../../src/modules/wallets/commands/issue-wallet-challenge.command';
import { RegisterWallet } from '../../../src/modules/wallets/commands/register-wallet.command';
import { VerifyWallet } from '../../../src/modules/wallets/commands/verify-wallet.command';
import { isExchangeListEmpty } from '../../../src/modules/wallets/exchange-list-check';
import { GetWalletWithProof } from '../../../src/modules/wallets/queries/get-wallet-with-proof.query';
import { VERIFICATION_METHODS } from '../../../src/modules/wallets/wallet.events';
import { walletsReadModel } from '../../../src/modules/wallets/wallets.read-model';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { listOwn } from '../../../src/platform/http/lists';
import type { Mode } from '../../../src/vocabulary/modes';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { placeOf, type Given } from '../../http/given-filters';
import { ownRoutes, tokensTo } from '../routes/own-routes';
import { NewWalletPage } from './new-wallet.page';
import { WalletPage, type WalletView } from './wallet.page';
import { WalletsPage, type WalletsView } from './wallets.page';

type Effect = (context: MerchantContext) => Promise<unknown>;

/** The wallets of a merchant, and the proof of each. */
@Controller('dashboard/:mode/wallets')
export class WalletPagesController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @SignedInPage('wallet.read')
  async list(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.show(
      { request, reply },
      () => this.listView(request, query),
      view => h(WalletsPage, { view }),
    );
  }

  @Get('new')
  @SignedInPage('wallet.manage')
  async showNew(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sendNew({ request, reply });
  }

  @Post('new')
  @SignedInForm('wallet.manage', {
    fields: ['address', 'label'],
    optional: ['network_id', 'controls_private_key'],
    highRisk: 'wallet.create',
  })
  async register(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.sendNew(asked),
      effect: async ({ context }) => {
        const { network_id: networkId, address = '', label = '', controls_private_key: declared } = form;
        if (networkId === undefined) throw refuse('parameter_missing', { param: 'network_id' });
        const terms = { networkId, address: address.trim(), label, controlsPrivateKey: declared === 'on' };
        return `wallets/${await this.commands.execute(new RegisterWallet(terms, context))}`;
      },
    });
  }

  @Get(':id')
  @SignedInPage('wallet.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sendWallet({ request, reply }, id);
  }

  @Post(':id/challenge')
  @SignedInForm('wallet.manage', { optional: ['method'] })
  async ask(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, id, form, async context => {
      const method = VERIFICATION_METHODS.find(each => each === form.method);
      if (method === undefined) throw refuse('parameter_missing', { param: 'method' });
      if (method === 'micro_deposit') await this.commands.execute(new AskMicroDeposit(id, context));
      else await this.commands.execute(new IssueWalletChallenge(id, context));
    });
  }

  @Post(':id/verify')
  @SignedInForm('wallet.manage', { fields: ['signature'], highRisk: 'wallet.verify' })
  async verify(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, id, form, async context => {
      // Forms change the ends of lines, so the text does not come back: the wallet's own challenge is checked.
      const proof = { signature: (form.signature ?? '').trim(), challenge: null };
      await this.commands.execute(new VerifyWallet(id, proof, context)).catch(refuseProof);
    });
  }

  @Post(':id/change')
  @SignedInForm('wallet.manage', { fields: ['label'], optional: ['dedicated'], highRisk: 'wallet.change' })
  async change(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, id, form, async context => {
      const { label = '', dedicated } = form;
      await this.commands.execute(new ChangeWallet(id, { label, dedicated: dedicated === 'on' }, context));
    });
  }

  private work(asked: Asked, id: string, form: FormBody, effect: Effect): Promise<void> {
    return this.pages.work(asked, {
      form,
      page: () => this.sendWallet(asked, id),
      effect: async ({ context }) => {
        await effect(context);
        return `wallets/${id}`;
      },
    });
  }

  private async sendNew(asked: Asked): Promise<void> {
    const hasEmptyExchangeList = await this.hasEmptyExchangeList(visitOf(asked.request).person.mode);
    await this.pages.send(asked, h(NewWalletPage, { hasEmptyExchangeList }));
  }

  private async sendWallet(asked: Asked, id: string): Promise<void> {
    await this.pages.show(
      asked,
      person => this.walletView(person, id),
      view => h(WalletPage, { view, wallNowMs: this.clock.now() }),
    );
  }

  private async listView(request: ApiRequest, query: Given): Promise<WalletsView> {
    const { person } = visitOf(request);
    const shown = { url: '', present: presentWallet };
    const [list, routes, hasEmptyExchangeList] = await Promise.all([
      listOwn(this.readModels, walletsReadModel, person, query, shown),
      ownRoutes(this.readModels, person),
      this.hasEmptyExchangeList(person.mode),
    ]);
    const wallets = list.data.map(wallet => ({ ...wallet, serves: tokensTo(wallet.id, routes) }));
    return { wallets, ...placeOf(query, list), hasEmptyExchangeList };
  }

  private async walletView(person: Person, id: string): Promise<WalletView> {
    const [{ wallet, proof }, routes] = await Promise.all([
      this.queries.execute(new GetWalletWithProof(id, person)),
      ownRoutes(this.readModels, person),
    ]);
    return { wallet: presentWallet(wallet), proof, serves: tokensTo(id, routes) };
  }

  private async hasEmptyExchangeList(mode: Mode): Promise<boolean> {
    return mode === 'live' && (await isExchangeListEmpty(this.readModels));
  }
}

/** The form has a field for the signature alone. */
function refuseProof(error: unknown): never {
  if (!isRefusal(error, 'invalid_challenge_field')) throw error;
  if (error.param !== 'signature') throw refuse('invalid_challenge_field', { message: error.message, cause: error });
  const message = 'This is no signature of the text above by the key of this address.';
  throw refuse('invalid_challenge_field', { param: 'signature', message, cause: error });
}
