import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../src/platform/http/caller';
import { OfManyPeople, SentForm, TakesForm, type FormBody } from '../../src/platform/http/form-body';
import { CustomerPages } from '../http/customer-pages';
import { NoPage } from '../page-routes';
import { PayPages } from './pay-pages';

/** The pages of links. A link's id is unguessable and opens its page; nothing else does. */
@Controller('pay')
export class PayController {
  constructor(
    private readonly pages: PayPages,
    private readonly customers: CustomerPages,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.show({ request, reply, id });
  }

  /** The form of a fixed link. */
  @Post(':id')
  @TakesForm('form_id')
  @OfManyPeople()
  async pay(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.open({ request, reply, id }, form);
  }

  /** The form of an open link. */
  @Post(':id/amount')
  @TakesForm('form_id', 'amount')
  @OfManyPeople()
  async payAmount(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.open({ request, reply, id }, form);
  }

  /** The address of a refused form, reloaded, leads back to the link. */
  @Get(':id/amount')
  @NoPage()
  reload(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): void {
    this.customers.leadBack({ request, reply, id }, 'pay');
  }
}
