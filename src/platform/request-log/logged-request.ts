import type { ErrorCode } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import { isoTime } from '../../kernel/clock';
import type { JsonValue } from '../../kernel/json';
import { REDACTED, redactText, redactValue } from '../logging/redaction';

/** A request and its answer as they were, secrets included: it is kept in memory only, until it is written. */
export type SeenRequest = {
  readonly requestId: string;
  /** Null where nobody authenticated. */
  readonly merchantId: string | null;
  readonly mode: Mode | null;
  readonly method: string;
  readonly route: string | null;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly ms: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
  readonly ip: string | null;
  readonly receivedMs: number;
};

/** What is kept of it. Bodies are JSON, cut off at BODY_BYTES; header values that may hold a secret are not there. */
export type LoggedRequest = {
  readonly request_id: string;
  readonly merchant_id: string | null;
  readonly mode: Mode | null;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly ms: number;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string | null;
  readonly response_body: string | null;
  readonly ip: string | null;
  readonly created: string;
};

const BODY_BYTES = 4_096;
/** Headers that tell of the request and never of who makes it; of all others the name is kept. */
const SHOWN_HEADERS: readonly string[] = [
  'accept', 'accept-encoding', 'accept-language', 'api-version', 'connection', 'content-encoding', 'content-length', 'content-type',
  'expect', 'host', 'origin', 'transfer-encoding', 'user-agent',
]; // prettier-ignore

/** What may be stored of a request: without secrets, and of a bounded size. */
export function loggedRequest(seen: SeenRequest): LoggedRequest {
  const [path = '', ...query] = seen.target.split('?');
  return {
    request_id: seen.requestId,
    merchant_id: seen.merchantId,
    mode: seen.mode,
    method: seen.method,
    route: seen.route,
    path: cut(shownPath(path)),
    query: query.length === 0 ? null : cut(shownQuery(query.join('?'))),
    status: seen.status,
    code: seen.code,
    ms: seen.ms,
    request_headers: shownHeaders(seen.headers),
    request_body: shownBody(seen.requestBody),
    response_body: shownBody(seen.responseBody),
    ip: seen.ip,
    created: isoTime(seen.receivedMs),
  };
}

/** Decoded first: a secret may be written with percent signs. */
function shownPath(path: string): string {
  try {
    return redactText(decodeURIComponent(path));
  } catch {
    return '[not decodable]';
  }
}

function shownQuery(query: string): string {
  const shown = redactValue(Object.fromEntries(new URLSearchParams(query))) as Readonly<Record<string, string>>;
  return Object.entries(shown)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function shownHeaders(headers: SeenRequest['headers']): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => {
    const text = SHOWN_HEADERS.includes(name) ? cut(redactText(String(value))) : REDACTED;
    return [redactText(name), text];
  });
  return Object.fromEntries(shown);
}

/** A body that is no JSON cannot be told to hold no secret: its length is all that is kept. */
function shownBody(text: string | null): string | null {
  if (text === null) return null;
  let value: JsonValue;
  try {
    value = redactValue(JSON.parse(text));
  } catch {
    return `[not JSON, ${Buffer.byteLength(text)} bytes]`;
  }
  return cut(JSON.stringify(value));
}

/** A cut character ends as U+FFFD. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= BODY_BYTES ? text : `${bytes.subarray(0, BODY_BYTES).toString()}… (cut)`;
}
