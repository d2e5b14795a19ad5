import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { SetRoutes } from '../../../src/modules/routes/set-routes.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { TOKEN_IDS, TOKENS } from '../../../src/vocabulary/tokens';
import { DashboardPages } from '../../http/dashboard-pages';
import { inOwnFields } from '../../http/own-fields';
import type { Person } from '../../http/person';
import { SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { newestWallets, withNamed } from '../wallets/own-wallets';
import { ownRoutes } from './own-routes';
import { RoutesPage, type RoutedPair } from './routes.page';

const ENTRY = /^routes\[(\d+)\]/;

/** The wallet that each token's payments go to. */
@Controller('dashboard/:mode/routes')
export class RoutePagesController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @SignedInPage('route.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post()
  @SignedInForm('route.manage', { optional: TOKEN_IDS, highRisk: 'route.change' })
  async set(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ context }) => {
        await this.setAll(form, context);
        return 'routes';
      },
    });
  }

  /** Pairs without a chosen wallet stay as they are. Refusals name the pair's own field. */
  private async setAll(form: FormBody, context: MerchantContext): Promise<void> {
    const chosen = TOKEN_IDS.filter(id => (form[id] ?? '') !== '');
    const entries = chosen.map(id => {
      const { asset: assetSymbol, network: networkId } = TOKENS[id];
      return { assetSymbol, networkId, walletId: form[id] ?? '' };
    });
    const fieldOf = (param: string) => chosen[Number(ENTRY.exec(param)?.[1])] ?? param;
    await inOwnFields(fieldOf, () => this.commands.execute(new SetRoutes(entries, context)));
  }

  private async send(asked: Asked): Promise<void> {
    const pairs = await this.pairs(visitOf(asked.request).person);
    await this.pages.send(asked, h(RoutesPage, { pairs }));
  }

  private async pairs(person: Person): Promise<readonly RoutedPair[]> {
    const routes = await ownRoutes(this.readModels, person);
    const routed = new Set(routes.map(({ wallet_id }) => wallet_id));
    const newest = await newestWallets(this.readModels, person);
    const offered = await withNamed(this.readModels, person, newest, routed);
    const wallets = offered.filter(({ status }) => status === 'verified');
    return TOKEN_IDS.map(tokenId => {
      const route = routes.find(({ token_id }) => token_id === tokenId) ?? null;
      const wallet = wallets.find(({ id }) => id === route?.wallet_id) ?? null;
      const choices = wallets.filter(({ network_id }) => network_id === TOKENS[tokenId].network);
      return { tokenId, route, wallet, choices };
    });
  }
}
