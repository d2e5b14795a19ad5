import type { Mode } from '../../vocabulary/modes';
import type { Collection, CollectionSpec, Document } from '../../kernel/ports/documents';
import type { LoggedRequest } from './logged-request';

/** Ids sort by time, and each index ends in them. */
export const REQUEST_LOGS: CollectionSpec = {
  name: 'request_logs',
  indexes: {
    by_id: ['id'],
    by_merchant: ['merchant_id', 'mode', 'id'],
    by_status: ['merchant_id', 'mode', 'status_class', 'id'],
    by_key: ['merchant_id', 'mode', 'key_id', 'id'],
  },
};

/** The classes of statuses that a list can be asked for. */
export const STATUS_CLASSES = [2, 3, 4, 5] as const;

type RequestFilters = {
  readonly statusClass: number | null;
  readonly keyId: string | null;
  /** The beginning of the path. */
  readonly path: string | null;
};

export type RequestListQuery = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly filters: RequestFilters;
  /** The id behind which the list goes on; null for the newest requests. */
  readonly after: string | null;
  readonly limit: number;
};

/** The kept part of a request without headers and bodies, as lists show it. */
type ListedRequest = Omit<LoggedRequest, 'request_headers' | 'request_body' | 'response_body'>;

export type RequestPage = {
  readonly requests: readonly ListedRequest[];
  /** The id behind which older requests are looked for; null where there are none. */
  readonly next: string | null;
};

const READ_AT_ONCE = 200;
/** A filter that no index answers looks through so many requests for one page. */
const LOOKED_AT = 2_000;
const UNLISTED = ['request_headers', 'request_body', 'response_body'];

/** One page of a merchant's requests in a mode, the newest first. */
export async function listRequests(
  logs: Collection<LoggedRequest>,
  { merchantId, mode, filters, after, limit }: RequestListQuery,
): Promise<RequestPage> {
  const own = { merchant_id: merchantId, mode };
  const found: Document<LoggedRequest>[] = [];
  let last = after;
  for (let looked = 0; looked < LOOKED_AT; looked += READ_AT_ONCE) {
    const page = await logs.list({
      ...indexFor(filters, own),
      ...(last !== null && { after: { id: last } }),
      descending: true,
      limit: READ_AT_ONCE,
      omit: UNLISTED,
    });
    found.push(...page.filter(({ body }) => passes(body, filters)));
    last = page.at(-1)?.id ?? last;
    if (found.length > limit || page.length < READ_AT_ONCE) return pageOf(found, limit, null);
  }
  return pageOf(found, limit, last);
}

function pageOf(found: readonly Document<LoggedRequest>[], limit: number, lookedUpTo: string | null): RequestPage {
  const shown = found.slice(0, limit);
  return {
    requests: shown.map(({ body }) => body),
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : lookedUpTo,
  };
}

type Own = { readonly merchant_id: string; readonly mode: Mode };

/** A key's requests are fewer than a status's. */
function indexFor({ keyId, statusClass }: RequestFilters, own: Own) {
  if (keyId !== null) return { index: 'by_key', equals: { ...own, key_id: keyId } };
  if (statusClass !== null) return { index: 'by_status', equals: { ...own, status_class: statusClass } };
  return { index: 'by_merchant', equals: own };
}

function passes({ status_class: kind, path }: LoggedRequest, filters: RequestFilters): boolean {
  const isOfClass = filters.statusClass === null || kind === filters.statusClass;
  return isOfClass && (filters.path === null || path.startsWith(filters.path));
}
