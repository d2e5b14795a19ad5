import { everyPage } from '../../../kernel/every-document';
import type { Document, ListQuery } from '../../../kernel/ports/documents';
import { timeRange } from '../../../kernel/timestamp';
import { filterOf, listPage, parsePage, type ListEnvelope } from '../../../platform/http/lists';
import { rowsThatPass, type RowTest } from '../../../platform/http/rows-that-pass';
import { refuse } from '../../../vocabulary/errors';
import { UNIVERSES } from '../../../vocabulary/modes';
import { auditEntries, type AuditEntryDocument } from '../audit-entry';
import type { AuditLog } from '../audit-log';
import { isAuditAction } from '../audit-rules';
import { presentEntry } from './audit-entry.resource';
import type { AuditEntryResource } from './audit.contract';

/** The filters that have an index, each with its field. The first one that is asked for is looked up. */
const INDEXED = [
  ['target', 'by_target', 'target_id'],
  ['actor', 'by_actor', 'actor_id'],
  ['merchant', 'by_merchant', 'merchant_id'],
  ['action', 'by_action', 'action'],
] as const;
export const AUDIT_FILTERS = ['actor', 'target', 'action', 'merchant', 'mode', 'from', 'to'] as const;
type AuditFilters = Readonly<Partial<Record<(typeof AUDIT_FILTERS)[number], string>>>;
type Asked = Readonly<Record<string, unknown>>;

/** Rows of an export that are read together. */
const ROWS_PER_READ = 500;

type Test = RowTest<AuditEntryDocument>;

/** Lists the audit log for administrators. */
export class AuditReader {
  constructor(private readonly log: AuditLog) {}

  /**
   * The newest first. Throws the refusals of paging and of a range of times. Throws invalid_filter for an unknown
   * action or mode, and where too many other rows lie between those that pass the filters.
   */
  async list(query: Asked): Promise<ListEnvelope<AuditEntryResource>> {
    const page = parsePage(query, AUDIT_FILTERS);
    const { tests, ...source } = searchOf(page);
    const listing = { universe: 'platform', order: ['occurred_at', 'id'], ...source } as const;
    return listPage(this.rowsThatPass(tests), auditEntries, listing, page, {
      url: '/admin/audit_entries',
      present: presentEntry,
    });
  }

  /** Throws Refusal resource_missing. */
  async get(id: string): Promise<AuditEntryResource> {
    const row = await this.log.get(auditEntries, 'platform', id);
    if (row === null) throw refuse('resource_missing');
    return presentEntry(row);
  }

  /** All rows that pass the filters, the newest first, page by page. Throws the refusals of the filters. */
  pages(filters: AuditFilters): AsyncGenerator<readonly Document<AuditEntryDocument>[]> {
    const { tests, ...source } = searchOf({ filters });
    return this.passing({ ...source, descending: true, limit: ROWS_PER_READ }, tests);
  }

  private async *passing(query: ListQuery, tests: readonly Test[]) {
    for await (const page of everyPage<AuditEntryDocument>(this.log, auditEntries, query))
      yield page.filter(({ body }) => tests.every(passes => passes(body)));
  }

  private rowsThatPass(tests: readonly Test[]): Pick<AuditLog, 'get' | 'list'> {
    const { log } = this;
    return {
      get: (...asked) => log.get(...asked),
      list: (_, query) => rowsThatPass(log, auditEntries, query, tests),
    };
  }
}

/** The index that is looked up, and the tests of the filters that it does not know. */
function searchOf({ filters }: { readonly filters: AuditFilters }) {
  const { action, from, to } = filters;
  if (action !== undefined && !isAuditAction(action)) throw refuse('invalid_filter', { param: 'action' });
  const range = timeRange({ text: from, param: 'from' }, { text: to, param: 'to' });
  const mode = filterOf({ filters }, 'mode', UNIVERSES);
  const [first, ...others] = INDEXED.filter(([filter]) => filters[filter] !== undefined);
  const tests = others.map(
    ([filter, , field]): Test =>
      row =>
        row[field] === filters[filter],
  );
  return {
    index: first?.[1] ?? 'by_time',
    equals: first ? { [first[2]]: filters[first[0]] as string } : {},
    ...(range && { range }),
    tests: mode === undefined ? tests : [...tests, (row: AuditEntryDocument): boolean => row.mode === mode],
  };
}
