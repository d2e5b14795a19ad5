import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { SetNotifications } from '../../../src/modules/outbox/set-notifications.command';
import { OPTIONAL_MAILS } from '../../../src/modules/outbox/notifications.events';
import { GetNotifications } from '../../../src/modules/outbox/queries/get-notifications.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import { SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { NotificationsPage } from './notifications.page';

const PAGE = 'settings/notifications';

@Controller('dashboard/:mode/settings/notifications')
export class NotificationsController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @SignedInPage('settings.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post()
  @SignedInForm('settings.manage', { optional: OPTIONAL_MAILS })
  async change(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ context }) => {
        const muted = OPTIONAL_MAILS.filter(kind => form[kind] === undefined);
        await this.commands.execute(new SetNotifications(muted, context));
        return PAGE;
      },
    });
  }

  private async send(asked: Asked): Promise<void> {
    const { merchantId, mode } = visitOf(asked.request).person;
    const notifications = await this.queries.execute(new GetNotifications(merchantId, mode));
    await this.pages.send(asked, h(NotificationsPage, { mode, notifications }));
  }
}
