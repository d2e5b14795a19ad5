import { everyPage } from '../../../kernel/every-document';
import type { Document, ListQuery } from '../../../kernel/ports/documents';
import { timeRange } from '../../../kernel/timestamp';
import { filterOf, listPage, parsePage, type ListEnvelope } from '../../../platform/http/lists';
import { rowsThatPass, type RowTest } from '../../../platform/http/rows-that-pass';
import { refuse } from '../../../vocabulary/errors';
import { auditEntries, type AuditEntryDocument } from '../audit-entry';
import type { AuditLog } from '../audit-log';
import { isAuditAction } from '../audit-rules';
import { presentEntry, type AuditEntryResource } from './audit-entry.resource';

const UNIVERSES = ['live', 'test', 'platform'] as const;
/** The filters that have an index, each with its field. The first one that is asked for is looked up. */
const INDEXED = [
  ['target', 'by_target', 'target_id'],
  ['actor', 'by_actor', 'actor_id'],
  ['merchant', 'by_merchant', 'merchant_id'],
  ['action', 'by_action', 'action'],
] as const;
const FILTERS = ['actor', 'target', 'action', 'merchant', 'mode', 'from', 'to'] as const;

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
  async list(query: Readonly<Record<string, unknown>>): Promise<ListEnvelope<AuditEntryResource>> {
    const page = parsePage(query, FILTERS);
    const { action, from, to } = page.filters;
    if (action !== undefined && !isAuditAction(action)) throw refuse('invalid_filter', { param: 'action' });
    const range = timeRange({ text: from, param: 'from' }, { text: to, param: 'to' });
    const mode = filterOf(page, 'mode', UNIVERSES);
    const [first, ...others] = INDEXED.filter(([filter]) => page.filters[filter] !== undefined);
    const tests = [
      ...others.map(
        ([filter, , field]): Test =>
          row =>
            row[field] === page.filters[filter],
      ),
      ...(mode === undefined ? [] : [((row): boolean => row.mode === mode) satisfies Test]),
    ];
    const source = {
      universe: 'platform',
      order: ['occurred_at', 'id'],
      index: first?.[1] ?? 'by_time',
      equals: first ? { [first[2]]: page.filters[first[0]] as string } : {},
      ...(range && { range }),
    } as const;
    return listPage(this.rowsThatPass(tests), auditEntries, source, page, {
      url: '/admin/audit_entries',
      present: presentEntry,
    });
  }

  /** All rows of a range, the newest first, page by page. */
  async *pages(range: ListQuery['range']): AsyncGenerator<readonly Document<AuditEntryDocument>[]> {
    const query = { index: 'by_time', equals: {}, ...(range && { range }), descending: true, limit: ROWS_PER_READ };
    yield* everyPage(this.log, auditEntries, query);
  }

  private rowsThatPass(tests: readonly Test[]): Pick<AuditLog, 'get' | 'list'> {
    const { log } = this;
    return {
      get: (...asked) => log.get(...asked),
      list: (_, query) => rowsThatPass(log, auditEntries, query, tests),
    };
  }
}
