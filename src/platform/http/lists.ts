import { refuse, type ErrorCode, type Refusal } from '../../vocabulary/errors';
import type { Universe } from '../../vocabulary/modes';
import { isId, type IdPrefix } from '../../vocabulary/ids';
import type { JsonObject, JsonValue } from '../../vocabulary/json';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../kernel/ports/read-models';

/** Objects of a page, where `limit` is left out and at most. */
export const PAGE_LIMIT = { default: 20, max: 100 };
const WHOLE = /^[1-9]\d{0,2}$/;
const PAGING = ['limit', 'starting_after'] as const;

type Given<Filter extends string> = Readonly<Partial<Record<Filter | (typeof PAGING)[number], string>>>;

export type Page<Filter extends string = string> = {
  readonly limit: number;
  readonly startingAfter: string | null;
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
};

export type ListEnvelope<Item> = {
  readonly object: 'list';
  readonly url: string;
  readonly has_more: boolean;
  readonly data: readonly Item[];
};

/**
 * The index of a list. `equals` names at least the merchant and the mode; `order` names the index's fields behind
 * `equals`.
 */
type ListSource = Pick<ListQuery, 'index' | 'equals' | 'range'> & {
  readonly order: readonly string[];
  /** The universe of the read model's streams; by default `equals.mode`. */
  readonly universe?: Universe;
  /** The order of time; by default the newest comes first. */
  readonly ascending?: boolean;
};

type ListView<Body extends JsonObject, Item> = {
  readonly url: string;
  readonly present: (document: Document<Body>) => Item | Promise<Item>;
};

/** Throws Refusal invalid_filter, invalid_limit, invalid_cursor or, for a repeated key, parameter_invalid. */
export function parsePage<const Filter extends string>(
  query: Readonly<Record<string, unknown>>,
  allowedFilters: readonly Filter[],
): Page<Filter> {
  const { limit, starting_after, ...filters } = parseFilters(query, [...allowedFilters, ...PAGING]) as Given<Filter>;
  if (starting_after === '') throw refuse('invalid_cursor', { param: 'starting_after' });
  return {
    limit: limit === undefined ? PAGE_LIMIT.default : parseLimit(limit),
    startingAfter: starting_after ?? null,
    filters: filters as Page<Filter>['filters'],
  };
}

/**
 * The query's parameters by their names, none of which is required. Throws Refusal invalid_filter for any other one,
 * and parameter_invalid for a repeated one.
 */
export function parseFilters<const Filter extends string>(
  query: Readonly<Record<string, unknown>>,
  allowed: readonly Filter[],
): Readonly<Partial<Record<Filter, string>>> {
  const filters: Partial<Record<Filter, string>> = {};
  for (const [key, value] of Object.entries(query)) {
    const filter = allowed.find(name => name === key);
    if (filter === undefined) throw noSuchFilter(key, allowed);
    if (typeof value !== 'string') throw refuse('parameter_invalid', { param: key });
    filters[filter] = value;
  }
  return filters;
}

function noSuchFilter(param: string, taken: readonly string[]): Refusal {
  const message = `This list has no such filter. It takes ${taken.join(', ')}.`;
  return refuse('invalid_filter', { param, message });
}

/**
 * The value of a filter that takes few values; undefined where it is left out. Throws Refusal invalid_filter, which
 * names these values.
 */
export function filterOf<const Value extends string, Filter extends string>(
  { filters }: Pick<Page<Filter>, 'filters'>,
  param: Filter,
  allowed: readonly Value[],
): Value | undefined {
  const given = filters[param];
  if (given === undefined) return undefined;
  const value = allowed.find(each => each === (given as string));
  if (value !== undefined) return value;
  throw refuse('invalid_filter', { param, message: `The filter ${param} takes one of ${allowed.join(', ')}.` });
}

function parseLimit(text: string): number {
  if (!WHOLE.test(text) || Number(text) > PAGE_LIMIT.max) throw refuse('invalid_limit', { param: 'limit' });
  return Number(text);
}

type Account = { readonly merchantId: string; readonly mode: Universe };
type Named = { readonly prefix: IdPrefix; readonly id: string; readonly notFound: ErrorCode };

/**
 * The object that an account has under the id in one mode, or above the modes. Throws Refusal `notFound` alike for an
 * unknown id, for another account's id and for the other mode's.
 */
export async function getOwn<Body extends JsonObject>(
  readModels: ReadModels,
  readModel: ReadModel<Body>,
  account: Account,
  { prefix, id, notFound }: Named,
): Promise<Document<Body>> {
  const found = isId(prefix, id) ? await readModels.get(readModel, account.mode, id) : null;
  return ownOf(found, account, notFound);
}

/**
 * Throws Refusal `notFound` as `getOwn` does, by the document as it was last written: an object's owner never changes.
 * A command that comes after it reads the object's stream.
 */
export async function checkOwn(
  readModels: ReadModels,
  readModel: ReadModel,
  account: Account,
  { prefix, id, notFound }: Named,
): Promise<void> {
  ownOf(isId(prefix, id) ? await readModels.stored(readModel, [account.mode], id) : null, account, notFound);
}

function ownOf<Body extends JsonObject>(
  found: Document<Body> | null,
  { merchantId, mode }: Account,
  notFound: ErrorCode,
): Document<Body> {
  if (found?.body.merchant_id !== merchantId || found.body.mode !== mode) throw refuse(notFound);
  return found;
}

/**
 * The objects of an account in one mode, by time, without filters. Throws as `parsePage` does, and for a cursor of
 * another list.
 */
export function listOwn<Body extends JsonObject, Item>(
  readModels: ReadModels,
  readModel: ReadModel<Body>,
  { merchantId, mode }: Account,
  query: Readonly<Record<string, unknown>>,
  view: ListView<Body, Item>,
): Promise<ListEnvelope<Awaited<Item>>> {
  const equals = { merchant_id: merchantId, mode };
  const source = { index: 'by_merchant', equals, order: ['created', 'id'] };
  return listPage(readModels, readModel, source, parsePage(query, []), view);
}

/** The documents of one list: a read model's, or others that are kept in the same way. */
type Listed<Body extends JsonObject> = {
  get(readModel: ReadModel<Body>, universe: Universe, id: string): Promise<Document<Body> | null>;
  list(readModel: ReadModel<Body>, query: ListQuery): Promise<readonly Document<Body>[]>;
};

/** One page by key, so that every page costs the same. One document more than asked tells whether there are more. */
export async function listPage<Body extends JsonObject, Item>(
  readModels: Listed<NoInfer<Body>>,
  readModel: ReadModel<Body>,
  source: ListSource,
  page: Page,
  view: ListView<Body, Item>,
): Promise<ListEnvelope<Awaited<Item>>> {
  const after = page.startingAfter === null ? {} : { after: await cursor(readModels, readModel, source, page) };
  const documents = await readModels.list(readModel, {
    index: source.index,
    equals: source.equals,
    ...(source.range && { range: source.range }),
    ...after,
    descending: source.ascending !== true,
    limit: page.limit + 1,
  });
  const shown = documents.slice(0, page.limit);
  return {
    object: 'list',
    url: view.url,
    has_more: documents.length > page.limit,
    data: await Promise.all(shown.map(view.present)),
  };
}

/**
 * The cursor's place in the order. The cursor's object must be of this list, merchant and mode. The object need not
 * pass the filters any more, because an object may change while a client reads the pages.
 */
async function cursor<Body extends JsonObject>(
  readModels: Listed<NoInfer<Body>>,
  readModel: ReadModel<Body>,
  source: ListSource,
  page: Page,
): Promise<Readonly<Record<string, JsonValue>>> {
  const id = page.startingAfter as string;
  const universe = source.universe ?? (source.equals.mode as Universe);
  const document = await readModels.get(readModel, universe, id);
  const scope = Object.keys(source.equals).filter(field => !(field in page.filters));
  if (!document || scope.some(field => document.body[field] !== source.equals[field]))
    throw refuse('invalid_cursor', { param: 'starting_after' });
  return Object.fromEntries(
    source.order.map(field => [field, field === 'id' ? document.id : (document.body[field] as JsonValue)]),
  );
}
