import { Controller, Get, Param, Query, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { AdminLists } from '../../../src/modules/administration/api/admin-lists.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { ConsolePages } from '../../http/console-pages';
import { givenFilters, givenTexts, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { ConsoleRoute } from '../../http/signed-in';
import { fieldLabel } from '../actions/field-words';
import type { ListPages } from './list-pages';
import { DetailPage, ListPage, type ListView } from './list.page';

const NOT_FOUND = 404;

/** The pages of a list: its rows and, where a row has a page of its own, that page. */
export function listControllersOf<Row extends { readonly id: string }>(pages: ListPages<Row>): readonly Type<object>[] {
  const { list, path, detail } = pages;
  const labels = Object.fromEntries(Object.keys(list.filters).map(name => [name, fieldLabel(name)]));

  @Controller(`console/${path}`)
  class ListController {
    constructor(
      private readonly pages: ConsolePages,
      private readonly lists: AdminLists,
    ) {}

    @Get()
    @ConsoleRoute(list.permission)
    async show(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const view = () => this.listed(query);
      await this.pages.show({ request, reply }, view, shown => h(ListPage<Row>, { pages, view: shown }));
    }

    private async listed(query: Given): Promise<ListView<Row>> {
      const given = givenFilters(query);
      const found = await orFilterFault(labels, { rows: [], next: null, isFirst: true }, async () => {
        const envelope = await this.lists.page(list, given);
        return { rows: envelope.data, ...placeOf(given, envelope) };
      });
      return { ...found, given: givenTexts(query) };
    }
  }

  @Controller(`console/${path}`)
  class DetailController {
    constructor(
      private readonly pages: ConsolePages,
      private readonly lists: AdminLists,
    ) {}

    @Get(':id')
    @ConsoleRoute(list.permission)
    async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const view = () => this.found(id);
      await this.pages.show({ request, reply }, view, row => h(DetailPage<Row>, { pages, row }));
    }

    /** The refusal of an unknown id may have another status, which is none of a page's. */
    private found(id: string): Promise<Row> {
      return this.lists.get(list, id).catch((error: unknown) => {
        const isMissing = isRefusal(error) && (error.code === list.notFound || statusOf(error.code) === NOT_FOUND);
        throw isMissing ? refuse('resource_missing') : error;
      });
    }
  }
  return detail === null ? [ListController] : [ListController, DetailController];
}

function statusOf(code: keyof typeof ERROR_CATALOGUE): number {
  return ERROR_CATALOGUE[code].status;
}
