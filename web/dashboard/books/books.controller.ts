import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { ReconciliationReader } from '../../../src/modules/books/api/reconciliation.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { isRefusal } from '../../../src/vocabulary/errors';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { NoPage } from '../../page-routes';
import { peopleFault } from '../../words/people-faults';
import { givenFilters, givenTexts, placeOf, type Given } from '../given-filters';
import { BooksPage, type BooksView } from './books.page';

/** The balances of wallets on the chain against what the service knows, by token and day of UTC. */
@Controller('dashboard/:mode/books')
export class BooksController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly reconciliations: ReconciliationReader,
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

  /** The statement of a month as a PDF. Throws Refusal invalid_timestamp. */
  @Get('statement')
  @NoPage()
  @SignedInPage('books.read')
  async statement(
    @CurrentPerson() person: Person,
    @Query() { month }: Given,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const statement = await this.reconciliations.statement(person, typeof month === 'string' ? month : '');
    // Most processes never make one, and the library takes a tenth of a second to load.
    const { statementPdf } = await import('../../pdf/statement-pdf.js');
    const bytes = await statementPdf(statement);
    const name = `statement-${person.mode}-${statement.month}.pdf`;
    void reply.header('content-disposition', `inline; filename="${name}"`).type('application/pdf').send(bytes);
  }

  /** A filter that cannot be read is told on the page itself: people are still typing it. */
  private async found(person: Person, given: Given): Promise<BooksView> {
    const { starting_after: _, ...query } = givenTexts(given);
    try {
      const list = await this.reconciliations.list(person, given);
      return { query, days: list.data, ...placeOf(given, list), fault: null };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { query, days: [], ...placeOf(given, { data: [], has_more: false }), fault: peopleFault(error) };
    }
  }
}
