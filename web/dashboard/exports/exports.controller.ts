import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { ExportFiles } from '../../../src/modules/exports/api/export-files';
import { EXPORT_KIND_NAMES } from '../../../src/modules/exports/queries/export-kinds';
import type { ApiRequest } from '../../../src/platform/http/caller';
import type { FileAnswer } from '../../../src/platform/http/file-answer';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { filterFault } from '../../words/filter-faults';
import { zonedDay } from '../../words/zoned-days';
import { NoPage } from '../../page-routes';
import { givenTexts, type Given } from '../../http/given-filters';
import { EXPORT_FIELDS } from '../../parts/export-form';
import { ExportsPage } from './exports.page';

/** Exports for people, made as those for keys are. */
@Controller('dashboard/:mode/exports')
export class DashboardExportsController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly files: ExportFiles,
  ) {}

  @Get()
  @SignedInPage('export.create')
  async form(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(ExportsPage, { query: givenTexts(query), fault: null }));
  }

  /** A refusal is told on the form's page: people would not look for it in a file. */
  @Get('file')
  @NoPage()
  @SignedInPage('export.create')
  async file(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    let file: FileAnswer;
    try {
      file = await this.begin(person, givenTexts(query));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const page = h(ExportsPage, { query: givenTexts(query), fault: filterFault(error, EXPORT_FIELDS) });
      return this.pages.send({ request, reply }, page);
    }
    void file.send(reply);
  }

  private begin(person: Person, { kind, ...asked }: Readonly<Record<string, string>>): Promise<FileAnswer> {
    const known = EXPORT_KIND_NAMES.find(name => name === kind);
    if (known === undefined) throw refuse('parameter_invalid', { param: 'kind', message: 'There is no such list.' });
    const from = zonedDay(asked.from, 'first', person.timeZone, 'from');
    const to = zonedDay(asked.to, 'last', person.timeZone, 'to');
    return this.files.begin(known, person, { ...asked, ...(from && { from }), ...(to && { to }) });
  }
}
