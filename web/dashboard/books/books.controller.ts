import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import type { BooksStatement } from '../../../src/modules/books/books-statement';
import { ReconciliationReader } from '../../../src/modules/books/api/reconciliation.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { NoPage } from '../../page-routes';
import { peopleFault } from '../../words/people-faults';
import { givenFilters, givenTexts, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { newestWallets, withNamed } from '../wallets/own-wallets';
import { BOOK_FILTERS, BooksPage, type BooksView } from './books.page';

/** The balances of wallets on the chain against what the service knows, by token and day of UTC. */
@Controller('dashboard/:mode/books')
export class BooksController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly reconciliations: ReconciliationReader,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @SignedInPage('books.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.found(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(BooksPage, { view: shown }));
  }

  /** The statement of a month as a PDF. A month that cannot be read is told on the form's page. */
  @Get('statement')
  @NoPage()
  @SignedInPage('books.read')
  async statement(
    @CurrentPerson() person: Person,
    @Query() { month }: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    let statement: BooksStatement;
    try {
      statement = await this.reconciliations.statement(person, typeof month === 'string' ? month : '');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const props = { view: await this.found(person, {}), monthFault: `Month: ${peopleFault(error)}` };
      return this.pages.send({ request, reply }, h(BooksPage, props));
    }
    // Most processes never make one, and the library takes a tenth of a second to load.
    const { statementPdf } = await import('../../pdf/statement-pdf.js');
    const bytes = await statementPdf(statement);
    const name = `statement-${person.mode}-${statement.month}.pdf`;
    void reply.header('content-disposition', `inline; filename="${name}"`).type('application/pdf').send(bytes);
  }

  private async found(person: Person, given: Given): Promise<BooksView> {
    const { starting_after: _, ...query } = givenTexts(given);
    const { wallet } = query;
    const newest = await newestWallets(this.readModels, person);
    const wallets = await withNamed(this.readModels, person, newest, wallet === undefined ? [] : [wallet]);
    const shown = { query, wallets };
    return orFilterFault(BOOK_FILTERS, { ...shown, days: [], next: null, isFirst: true }, async () => {
      if (wallet !== undefined && wallets.every(({ id }) => id !== wallet))
        throw refuse('invalid_filter', { param: 'wallet' });
      const list = await this.reconciliations.list(person, given);
      const named = new Set(list.data.map(day => day.wallet));
      const known = await withNamed(this.readModels, person, wallets, named);
      return { ...shown, wallets: known, days: list.data, ...placeOf(given, list) };
    });
  }
}
