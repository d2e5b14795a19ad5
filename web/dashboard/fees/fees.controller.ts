import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { FeeReader } from '../../../src/modules/fees/api/fee.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { givenFilters, placeOf, type Given } from '../../http/given-filters';
import { FeeInvoicePage } from './fee-invoice.page';
import { FeeInvoicesPage, FeesPage, type FeeInvoicesView, type FeesView } from './fees.page';

/** The service's fees: the fee ledger, and the invoices of the service. */
@Controller('dashboard/:mode/fees')
export class DashboardFeesController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly fees: FeeReader,
  ) {}

  @Get()
  @SignedInPage('fee.read')
  async ledger(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.rows(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(FeesPage, { view: shown }));
  }

  @Get('invoices')
  @SignedInPage('fee.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.invoices(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(FeeInvoicesPage, { view: shown }));
  }

  @Get('invoices/:id')
  @SignedInPage('fee.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.fees.invoice(person, id);
    await this.pages.show({ request, reply }, view, invoice => h(FeeInvoicePage, { invoice }));
  }

  private async rows(person: Person, given: Given): Promise<FeesView> {
    const list = await this.fees.entries(person, given);
    const { outstanding } = await this.fees.balance(person);
    return { entries: list.data, outstanding, ...placeOf(given, list) };
  }

  private async invoices(person: Person, given: Given): Promise<FeeInvoicesView> {
    const list = await this.fees.invoices(person, given);
    return { invoices: list.data, ...placeOf(given, list) };
  }
}
