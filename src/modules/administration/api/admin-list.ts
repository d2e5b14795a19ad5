import type { Document } from '../../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../../kernel/ports/read-models';
import { listPage, parsePage, type ListEnvelope, type Page } from '../../../platform/http/lists';
import { oneOfTexts, text, type Schema, type SchemaOf } from '../../../platform/http/openapi-schema';
import { rowsThatPass, type RowTest } from '../../../platform/http/rows-that-pass';
import type { AdminPermission } from '../../../vocabulary/admin-roles';
import { refuse, type ErrorCode } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import type { Mode, Universe } from '../../../vocabulary/modes';
import { ALL_MODES } from './find-payment';

/** The documents, and the rest of what rows tell. */
export type ListReads = {
  readonly readModels: ReadModels;
  readonly screeningSources: Readonly<Record<Mode, readonly string[]>>;
};

type Query = Readonly<Record<string, unknown>>;

type ListFilter<Body> = {
  readonly schema: Schema;
  /** The values that it takes; null for any text. */
  readonly values: readonly string[] | null;
  readonly code: ErrorCode;
  /** The member of the document that the value stands in; null where the test alone tells. */
  readonly field: (keyof Body & string) | null;
  /** The value where the filter is left out. */
  readonly fallback: string | null;
  readonly test: (value: string, reads: ListReads) => RowTest<Body> | Promise<RowTest<Body>>;
};

type ListParts<Body extends JsonObject, Row> = {
  /** Below `/admin`. */
  readonly path: string;
  readonly permission?: AdminPermission;
  readonly summary: string;
  readonly item: SchemaOf<Row>;
  readonly readModel: ReadModel<Body>;
  /** Documents of both modes, or of streams above the modes. */
  readonly lies: 'in_modes' | 'above_modes';
  readonly filters: Readonly<Record<string, ListFilter<Body>>>;
  /** The first index of which all filters are given is read, so the last one has none. */
  readonly indexes: readonly {
    readonly index: string;
    readonly filters: readonly string[];
    readonly fixed?: JsonObject;
  }[];
  /** The documents that are rows; by default all of them. */
  readonly where?: RowTest<Body>;
  /** The fields of every index behind those of filters. */
  readonly order: readonly string[];
  readonly ascending?: boolean;
  /** The code of an unknown id; null where no row is read by itself. */
  readonly notFound: ErrorCode | null;
  /** By the row's id, where that is not the document's. */
  readonly find?: (reads: ListReads, id: string) => Promise<Document<Body> | null>;
  readonly present: (document: Document<Body>, reads: ListReads) => Row | Promise<Row>;
};

/** A list for administrators, whatever its rows. */
export type AdminList<Row = unknown> = {
  readonly path: string;
  readonly permission: AdminPermission;
  readonly summary: string;
  readonly item: SchemaOf<Row>;
  readonly filters: Readonly<Record<string, Schema>>;
  readonly notFound: ErrorCode | null;
  /** Throws Refusal invalid_filter, invalid_limit, invalid_cursor, invalid_mode or parameter_invalid. */
  readonly page: (reads: ListReads, query: Query) => Promise<ListEnvelope<Row>>;
  /** Throws Refusal `notFound`. */
  readonly get: (reads: ListReads, id: string) => Promise<Row>;
};

export function adminList<Body extends JsonObject, Row>(parts: ListParts<Body, Row>): AdminList<Row> {
  const { path, permission = 'console.read', summary, item, readModel, filters, notFound, order } = parts;
  const names = Object.keys(filters);
  const universes: readonly Universe[] = parts.lies === 'in_modes' ? ALL_MODES : ['platform'];

  async function find(reads: ListReads, id: string): Promise<Document<Body> | null> {
    return parts.find ? parts.find(reads, id) : reads.readModels.get(readModel, universes, id);
  }

  async function page(reads: ListReads, query: Query): Promise<ListEnvelope<Row>> {
    const given = parsePage(query, names);
    const values = valuesOf(filters, given);
    const { index, filters: indexed, fixed } = indexOf(parts, values);
    const others = Object.entries(values).filter(([name]) => !indexed.includes(name));
    const asked = await Promise.all(others.map(async ([name, value]) => filterNamed(filters, name).test(value, reads)));
    const tests = parts.where ? [parts.where, ...asked] : asked;
    const bound = indexed.map(name => [filterNamed(filters, name).field ?? name, values[name] ?? ''] as const);
    const rows = {
      get: (_: unknown, __: Universe, id: string) =>
        order.length === 1 ? Promise.resolve(placeOf<Body>(id)) : find(reads, id),
      list: (...[model, wanted]: Parameters<typeof reads.readModels.list<Body>>) =>
        rowsThatPass(reads.readModels, model, wanted, tests),
    };
    const source = {
      ...({ universe: 'platform', index, order, ...(parts.ascending && { ascending: true }) } as const),
      equals: { ...(fixed as Record<string, boolean>), ...Object.fromEntries(bound) },
    };
    // An object that has left the list since is a cursor still.
    const left = Object.fromEntries(Object.keys(source.equals).map(field => [field, '']));
    return listPage(
      rows,
      readModel,
      source,
      { ...given, filters: { ...values, ...left } },
      {
        url: `/admin/${path}`,
        present: document => parts.present(document, reads),
      },
    ) as Promise<ListEnvelope<Row>>;
  }

  async function get(reads: ListReads, id: string): Promise<Row> {
    const found = notFound === null ? null : await find(reads, id);
    if (!found || parts.where?.(found.body) === false) throw refuse(notFound ?? 'resource_missing');
    return parts.present(found, reads);
  }

  const schemas = Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema]));
  return { path, permission, summary, item, filters: schemas, notFound, page, get };
}

/** The place of an id in a list by ids, whether or not there is an object still. */
function placeOf<Body extends JsonObject>(id: string): Document<Body> {
  return { id, version: 0, body: {} as Body };
}

function filterNamed<Body>(filters: Readonly<Record<string, ListFilter<Body>>>, name: string): ListFilter<Body> {
  const found = filters[name];
  if (!found) throw new Error(`no filter is called ${name}`);
  return found;
}

function valuesOf<Body>(
  filters: Readonly<Record<string, ListFilter<Body>>>,
  { filters: given }: Page,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [param, { values: allowed, code, fallback }] of Object.entries(filters)) {
    const value = given[param] ?? fallback;
    if (value === null || value === undefined) continue;
    if (allowed && !allowed.includes(value))
      throw refuse(code, { param, message: `The filter ${param} takes one of ${allowed.join(', ')}.` });
    values[param] = value;
  }
  return values;
}

function indexOf<Body extends JsonObject>(
  { indexes, path }: Pick<ListParts<Body, unknown>, 'indexes' | 'path'>,
  values: Readonly<Record<string, string>>,
) {
  const found = indexes.find(({ filters }) => filters.every(name => values[name] !== undefined));
  if (!found) throw new Error(`no index of ${path} goes without filters`);
  return found;
}

/** A filter on a member of the document. */
export function byField<Body>(
  field: keyof Body & string,
  terms: { readonly values?: readonly string[]; readonly fallback?: string; readonly code?: ErrorCode } = {},
): ListFilter<Body> {
  const { values = null, fallback = null, code = 'invalid_filter' } = terms;
  return {
    ...{ field, values, fallback, code },
    schema: { ...(values ? oneOfTexts(values) : text()), ...(fallback !== null && { default: fallback }) },
    test: value => body => body[field] === value,
  };
}

/** A filter by a test of its own. */
export function byTest<Body>(
  test: ListFilter<Body>['test'],
  terms: { readonly values?: readonly string[]; readonly code?: ErrorCode } = {},
): ListFilter<Body> {
  const { values = null, code = 'invalid_filter' } = terms;
  return { field: null, fallback: null, values, code, test, schema: values ? oneOfTexts(values) : text() };
}

export const ofMode = <Body extends { readonly mode: string }>(
  terms: { readonly fallback?: Mode } = {},
): ListFilter<Body> => byField<Body>('mode', { ...terms, values: ALL_MODES, code: 'invalid_mode' });

export const ofMerchant = <Body extends { readonly merchant_id: string | null }>(): ListFilter<Body> =>
  byField<Body>('merchant_id');

/** A list of few rows, which are always the same ones. */
export function fixedList<Row>(
  parts: Pick<AdminList<Row>, 'path' | 'summary' | 'item'> & {
    readonly rows: (reads: ListReads) => Promise<readonly Row[]>;
  },
): AdminList<Row> {
  const { path, summary, item, rows } = parts;
  const page = async (reads: ListReads, query: Query): Promise<ListEnvelope<Row>> => {
    parsePage(query, []);
    return { object: 'list', url: `/admin/${path}`, has_more: false, data: await rows(reads) };
  };
  const get = (): Promise<Row> => Promise.reject(refuse('resource_missing'));
  return { path, permission: 'console.read', summary, item, filters: {}, notFound: null, page, get };
}
