import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { NameAdmins } from '../../../src/modules/admins/api/name-admins.query';
import { AuditExports } from '../../../src/modules/audit/api/audit-exports';
import { AuditReader } from '../../../src/modules/audit/api/audit.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import type { FileAnswer } from '../../../src/platform/http/file-answer';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { Administrator } from '../../http/administrator';
import { ConsolePages } from '../../http/console-pages';
import { givenTexts, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { ConsoleRoute } from '../../http/signed-in';
import { visitOf } from '../../http/visits';
import { NoPage } from '../../page-routes';
import { EXPORT_FIELDS } from '../../parts/export-form';
import { filterFault } from '../../words/filter-faults';
import { zonedDay } from '../../words/zoned-days';
import { AuditExportPage } from './audit-export.page';
import { AUDIT_FILTERS } from './audit-fields';
import { AuditPage, type AuditView } from './audit.page';
import { EntryPage } from './entry.page';

type Typed = Readonly<Record<string, string>>;

/** The audit log for those who may read it. */
@Controller('console/audit')
export class ConsoleAuditController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly entries: AuditReader,
    private readonly exports: AuditExports,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ConsoleRoute('audit.read')
  async list(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { timeZone } = visitOf<Administrator>(request).person;
    const view = () => this.found(query, timeZone);
    await this.pages.show({ request, reply }, view, shown => h(AuditPage, { view: shown }));
  }

  @Get('export')
  @ConsoleRoute('audit.read')
  async form(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(AuditExportPage, { query: givenTexts(query), fault: null }));
  }

  /** A refusal is told on the form's page: people would not look for it in a file. */
  @Get('export/file')
  @NoPage()
  @ConsoleRoute('audit.read')
  async file(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { admin, nowMs, timeZone } = visitOf<Administrator>(request).person;
    const typed = givenTexts(query);
    let file: FileAnswer;
    try {
      file = await this.exports.begin(admin.id, askedOf(typed, timeZone), nowMs);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const page = h(AuditExportPage, {
        query: typed,
        fault: filterFault(error, { ...AUDIT_FILTERS, ...EXPORT_FIELDS }),
      });
      return this.pages.send({ request, reply }, page);
    }
    void file.send(reply);
  }

  @Get(':id')
  @ConsoleRoute('audit.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const entry = await this.entries.get(id);
    const names = await this.queries.execute(new NameAdmins([entry.actor.id, entry.target.id]));
    await this.pages.send({ request, reply }, h(EntryPage, { entry, names }));
  }

  private async found(query: Given, timeZone: string): Promise<AuditView> {
    const { starting_after: after, ...typed } = givenTexts(query);
    const nothing = { entries: [], names: {}, next: null, isFirst: after === undefined };
    const found = await orFilterFault(AUDIT_FILTERS, nothing, async () => {
      const asked = askedOf(givenTexts(query), timeZone);
      const list = await this.entries.list(asked);
      const people = list.data.flatMap(({ actor: by, target }) => [by.id, target.id]);
      return {
        entries: list.data,
        names: await this.queries.execute(new NameAdmins(people)),
        ...placeOf(asked, list),
      };
    });
    return { ...found, query: typed };
  }
}

/** The filters as the list takes them: an administrator by id, and typed days as moments in the reader's time zone. */
function askedOf(typed: Typed, timeZone: string): Typed {
  const { actor, ...others } = typed;
  const from = zonedDay(typed.from, 'first', timeZone, 'from');
  const to = zonedDay(typed.to, 'last', timeZone, 'to');
  return {
    ...others,
    ...(actor && { actor: actor.includes('@') ? adminIdOfEmail(actor) : actor }),
    ...(from && { from }),
    ...(to && { to }),
  };
}
