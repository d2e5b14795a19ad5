import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../src/platform/http/form-body';
import { CustomerPages } from '../http/customer-pages';
import { NoPage } from '../page-routes';
import { InvoicePages } from './invoice-pages';

/** Where customers read, keep and pay an invoice. Its id is unguessable and opens its page; nothing else does. */
@Controller('invoices')
export class InvoicePagesController {
  constructor(
    private readonly pages: InvoicePages,
    private readonly customers: CustomerPages,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.show({ request, reply, id });
  }

  @Get(':id/pdf')
  @NoPage()
  async pdf(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendPdf({ request, reply, id });
  }

  @Post(':id/pay')
  @TakesForm('form_id')
  async pay(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.pay({ request, reply, id }, form);
  }

  /** The address of a refused form, reloaded, leads back to the invoice. */
  @Get(':id/pay')
  @NoPage()
  reload(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): void {
    this.customers.leadBack({ request, reply, id }, 'invoices');
  }

  @Get(':id/events')
  @NoPage()
  async events(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.listen({ request, reply, id });
  }
}
