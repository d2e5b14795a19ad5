import type { Document, ListQuery } from '../../../kernel/ports/documents';
import { timeRange } from '../../../kernel/timestamp';
import { filterOf, listPage, parsePage, type ListEnvelope } from '../../../platform/http/lists';
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
export const AUDIT_FILTERS = ['actor', 'target', 'action', 'merchant', 'mode', 'from', 'to'] as const;
type AuditFilters = Readonly<Partial<Record<(typeof AUDIT_FILTERS)[number], string>>>;
type Asked = Readonly<Record<string, unknown>>;

/** Rows that one page may look at, where its filters have no index in common. */
const ROWS_LOOKED_AT = 5_000;
const ROWS_PER_READ = 500;

type Test = (row: AuditEntryDocument) => boolean;

/** Lists the audit log for administrators. */
export class AuditReader {
  constructor(private readonly log: AuditLog) {}

  /**
   * The newest first. Throws the refusals of paging and of a range of times, and invalid_filter for an unknown action
   * or mode. Throws invalid_range where too many other rows lie between those that pass the filters.
   */
  async list(query: Asked): Promise<ListEnvelope<AuditEntryResource>> {
    const page = parsePage(query, AUDIT_FILTERS);
    const { tests, ...source } = searchOf(page);
    const by = { universe: 'platform', order: ['occurred_at', 'id'], ...source } as const;
    return listPage(this.rowsThatPass(tests), auditEntries, by, page, {
      url: '/admin/audit_entries',
      present: presentEntry,
    });
  }

  /** All rows that pass the filters, the newest first, page by page. Throws the refusals of the filters. */
  pages(filters: AuditFilters): AsyncGenerator<readonly Document<AuditEntryDocument>[]> {
    const { tests, ...source } = searchOf({ filters });
    return this.passing({ ...source, descending: true, limit: ROWS_PER_READ }, tests);
  }

  private async *passing(query: ListQuery, tests: readonly Test[]) {
    for await (const page of this.pagesOf(query)) yield page.filter(({ body }) => tests.every(passes => passes(body)));
  }

  private rowsThatPass(tests: readonly Test[]): Pick<AuditLog, 'get' | 'list'> {
    const { log } = this;
    if (tests.length === 0) return log;
    const list = async (_: unknown, query: ListQuery): Promise<readonly Document<AuditEntryDocument>[]> => {
      const found: Document<AuditEntryDocument>[] = [];
      let lookedAt = 0;
      for await (const page of this.pagesOf({ ...query, limit: ROWS_PER_READ })) {
        found.push(...page.filter(({ body }) => tests.every(passes => passes(body))));
        if (found.length >= query.limit) return found.slice(0, query.limit);
        if ((lookedAt += page.length) >= ROWS_LOOKED_AT) throw tooManyBetween();
      }
      return found;
    };
    return { get: (...asked) => log.get(...asked), list };
  }

  private async *pagesOf(query: ListQuery): AsyncGenerator<readonly Document<AuditEntryDocument>[]> {
    for (let { after } = query; ;) {
      const page = await this.log.list(auditEntries, { ...query, ...(after && { after }) });
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      if (page.length < query.limit) return;
      after = { occurred_at: last.body.occurred_at, id: last.id };
    }
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

function tooManyBetween(): Error {
  const message = `These filters together would look at more than ${ROWS_LOOKED_AT} entries. Give a shorter range of time.`;
  return refuse('invalid_range', { param: 'from', message });
}
