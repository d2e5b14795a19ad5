import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { ChangeSettings } from '../../../src/modules/merchants/commands/change-settings.command';
import { settingsIn, type SettingsChanges } from '../../../src/modules/merchants/merchant-settings';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { DashboardPages } from '../../http/dashboard-pages';
import { inOwnFields } from '../../http/own-fields';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { brandChangesIn, generalChangesIn, invoiceChangesIn, paymentChangesIn, settingsField } from './settings-form';
import { SettingsPage, type SettingsView } from './settings.page';

const PAGE = 'settings';

@Controller('dashboard/:mode/settings')
export class SettingsPagesController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @SignedInPage('settings.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post('payments')
  @SignedInForm('settings.manage', {
    fields: ['payment_tolerance_bps', 'default_success_url'],
    optional: [...TOKEN_IDS, 'checkout_restart'],
  })
  async changePayments(
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, form, paymentChangesIn);
  }

  @Post('brand')
  @SignedInForm('settings.manage', { fields: ['brand.name', 'brand.color', 'brand.logo_url'] })
  async changeBrand(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.change({ request, reply }, form, brandChangesIn);
  }

  @Post('invoices')
  @SignedInForm('settings.manage', { fields: ['invoice_prefix', 'reminders', 'customer_language'] })
  async changeInvoices(
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, form, invoiceChangesIn);
  }

  @Post('general')
  @SignedInForm('settings.manage', { fields: ['time_zone', 'api_version'] })
  async changeGeneral(
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, form, generalChangesIn);
  }

  /** Copies the settings of the other mode to the page's. */
  @Post('copy')
  @SignedInForm('settings.manage')
  async copy(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { other } = this.viewOf(person);
    await this.change({ request, reply }, form, () => {
      if (other === null) throw refuse('invalid_mode');
      return settingsIn(other.settings);
    });
  }

  private async change(asked: Asked, form: FormBody, changesIn: (form: FormBody) => SettingsChanges): Promise<void> {
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: ({ context }) =>
        inOwnFields(settingsField, async () => {
          await this.commands.execute(new ChangeSettings(changesIn(form), context));
          return PAGE;
        }),
    });
  }

  private async send(asked: Asked): Promise<void> {
    const view = this.viewOf(visitOf(asked.request).person);
    await this.pages.send(asked, h(SettingsPage, { view }));
  }

  private viewOf({ accounts, mode, facts: { settings } }: Person): SettingsView {
    const otherMode = this.pages.modes.find(each => each !== mode);
    const other = otherMode === undefined ? null : { mode: otherMode, settings: accounts[otherMode].settings };
    return { mode, settings, other };
  }
}
