import { Controller, Get, Inject, Param, Query, type Type } from '@nestjs/common';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { Documented } from '../../../platform/http/openapi-operation';
import { listOf } from '../../../platform/http/openapi-schema';
import type { AdminList } from './admin-list';
import { ADMIN_LISTS } from './admin-lists';
import { AdminLists } from './admin-lists.reader';

type Asked = Readonly<Record<string, unknown>>;

const nameOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The routes of one row of the table: the list, and one object by its id where the list has objects of their own. */
function controllerOf(name: string, list: AdminList): Type<object> {
  const { path, permission, summary, item, filters, notFound } = list;

  class ListController {
    constructor(private readonly lists: AdminLists) {}

    page(query: Asked): Promise<unknown> {
      return this.lists.page(list, query);
    }

    one(id: string): Promise<unknown> {
      return this.lists.get(list, id);
    }
  }

  const { prototype } = ListController;
  const route = (method: 'page' | 'one', at: string, facts: Parameters<typeof Documented>[0]): void => {
    const handler = Object.getOwnPropertyDescriptor(prototype, method) as PropertyDescriptor;
    Get(at)(prototype, method, handler);
    AdminRoute({ permission })(prototype, method, handler);
    Documented(facts)(prototype, method, handler);
  };
  Object.defineProperty(ListController, 'name', { value: `${nameOf(name)}Controller` });
  Controller('admin')(ListController);
  Inject(AdminLists)(ListController, undefined, 0);
  Query()(prototype, 'page', 0);
  const refuses = 'mode' in filters ? (['invalid_filter', 'invalid_mode'] as const) : (['invalid_filter'] as const);
  const facts = {
    id: `list${nameOf(name)}`,
    summary,
    answer: listOf(item),
    paged: true,
    query: filters,
    refuses,
  } as const;
  route('page', path, facts);
  if (notFound !== null) {
    Param('id')(prototype, 'one', 0);
    const title = `Retrieve one object of the list ${path}`;
    route('one', `${path}/:id`, { id: `get${nameOf(name)}`, summary: title, answer: item, refuses: [notFound] });
  }
  return ListController;
}

/** A controller for each row of the table, so that no route of a list is written by hand. */
export const ADMIN_LIST_CONTROLLERS: readonly Type<object>[] = Object.entries(ADMIN_LISTS).map(([name, list]) =>
  controllerOf(name, list),
);
