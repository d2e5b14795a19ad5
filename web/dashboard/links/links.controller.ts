import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { PaymentIntentReader } from '../../../src/modules/payment-intents/api/payment-intent.reader';
import { PaymentLinkReader } from '../../../src/modules/payment-links/api/payment-link.reader';
import { CreatePaymentLink } from '../../../src/modules/payment-links/commands/create-payment-link.command';
import { DeactivatePaymentLink } from '../../../src/modules/payment-links/commands/deactivate-payment-link.command';
import { standingOf } from '../../../src/modules/payment-links/payment-link.decider';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import { inOwnFields } from '../../http/own-fields';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { givenFilters, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { openedPayment } from '../opened-payments';
import { LinkPage, type LinkView } from './link.page';
import { LinksPage, type LinksView } from './links.page';
import { NewLinkPage } from './new-link.page';
import { linkKind, typedLink } from './typed-link';

const TERMS = ['kind', 'currency', 'description', 'metadata', 'success_url', 'max_uses', 'expires_at'] as const;
/** A form has those of its kind. */
const AMOUNTS = ['amount', 'min_amount', 'max_amount'] as const;

/** Links that customers pay by. */
@Controller('dashboard/:mode/links')
export class LinksController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly links: PaymentLinkReader,
    private readonly payments: PaymentIntentReader,
  ) {}

  @Get()
  @SignedInPage('link.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.found(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(LinksPage, { view: shown }));
  }

  @Get('new')
  @SignedInPage('link.manage')
  async form(@Query() { kind }: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(NewLinkPage, { kind: linkKind(kind) }));
  }

  @Post('new')
  @SignedInForm('link.manage', { fields: TERMS, optional: AMOUNTS })
  async create(
    @CurrentPerson() { timeZone }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.pages.send(asked, h(NewLinkPage, { kind: linkKind(form.kind) })),
      effect: async ({ context }) => {
        const work = async () => this.commands.execute(new CreatePaymentLink(typedLink(form, timeZone), context));
        const { id } = await inOwnFields(ownField, work);
        return `links/${id}`;
      },
    });
  }

  @Get(':id')
  @SignedInPage('link.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply }, id);
  }

  @Post(':id/deactivate')
  @SignedInForm('link.manage')
  async deactivate(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked, id),
      effect: async ({ context }) => {
        await this.commands.execute(new DeactivatePaymentLink(id, context));
        return `links/${id}`;
      },
    });
  }

  private async send(asked: Asked, id: string): Promise<void> {
    const { person } = visitOf(asked.request);
    await this.pages.show(
      asked,
      () => this.link(person, id),
      view => h(LinkPage, { view }),
    );
  }

  private async found(person: Person, given: Given): Promise<LinksView> {
    const active = typeof given.active === 'string' ? given.active : null;
    return orFilterFault({ active: 'Status' }, { links: [], active, next: null, isFirst: true }, async () => {
      const list = await this.links.list(person, given);
      const links = list.data.map(link => ({ ...link, standing: standingOf(link, person.nowMs) }));
      return { links, active, ...placeOf(given, list) };
    });
  }

  private async link(person: Person, id: string): Promise<LinkView> {
    const { nowMs: now } = person;
    const link = await this.links.get(person, id);
    const { data, has_more: hasMore } = await this.payments.list({ ...person, now }, { payment_link: id });
    return { link: { ...link, standing: standingOf(link, now) }, payments: data.map(openedPayment), hasMore };
  }
}

/** The refusal of a value of the metadata names its key. */
function ownField(param: string): string {
  return param.startsWith('metadata.') ? 'metadata' : param;
}
