import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { CloseMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { AccountPage } from './account.page';

const PAGE = 'settings/account';

@Controller('dashboard/:mode/settings/account')
export class AccountController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @SignedInPage('settings.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post('close')
  @SignedInForm('account.close', { fields: ['reason'], highRisk: 'account.close' })
  async close(
    @CurrentPerson() { accountContextOf }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ command }) => {
        await this.commands.execute(new CloseMerchant(form.reason ?? '', accountContextOf(command)));
        return PAGE;
      },
    });
  }

  private async send(asked: Asked): Promise<void> {
    const { facts } = visitOf(asked.request).person;
    await this.pages.send(asked, h(AccountPage, { account: facts.merchant }));
  }
}
