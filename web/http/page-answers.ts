import type { Entropy } from '../../src/kernel/entropy';
import { clientIp } from '../../src/platform/http/client-ip';
import { requestHeaders } from '../../src/platform/http/rate-limit';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import type { ErrorCode, Refusal } from '../../src/vocabulary/errors';
import type { LivePages } from './live-pages';
import type { Asked } from './visits';

const OK = 200;
const SEE_OTHER = 303;
const NO_CONTENT = 204;
const FORM_ID_BYTES = 16;
/** Enough of a build's name to tell two builds apart. */
const BUILD_LENGTH = 8;

/** An id for the forms of one showing of a page. */
export function freshFormId(entropy: Entropy): string {
  return Buffer.from(entropy.bytes(FORM_ID_BYTES)).toString('hex');
}

/** The status of a page; `refusal` is the reason why a form was refused, which the request's log line tells too. */
export function statusOf({ request }: Asked, refusal: ErrorCode | null): number {
  if (refusal === null) return OK;
  request.errorCode = refusal;
  return ERROR_CATALOGUE[refusal].status;
}

/** Tells a browser when a refused form may be sent again. */
export function tellRetry({ reply }: Asked, { retryAfterSeconds }: Refusal): void {
  if (retryAfterSeconds !== null) void reply.header('retry-after', String(retryAfterSeconds));
}

export function seeOther({ reply }: Asked, location: string): void {
  void reply.status(SEE_OTHER).header('location', location).send('');
}

/** Names what a page shows, and the build that shows it. */
export function pageVersion(shown: string, buildId: string): string {
  return `${shown}-${buildId.slice(0, BUILD_LENGTH)}`;
}

/** Tells the open page of changes. Without a stream, where too many pages are open, it asks from time to time. */
export function openStream(
  live: LivePages,
  { request, reply }: Asked,
  page: string,
  version: () => Promise<string | null>,
): void {
  const asked = { page, version, address: clientIp(request), headers: requestHeaders(request) };
  if (!live.open(reply.raw, asked)) return void reply.status(NO_CONTENT).send();
  reply.hijack();
  request.leave?.();
}
