import type { ErrorCode } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { isoTime } from '../../kernel/clock';
import type { JsonValue } from '../../vocabulary/json';
import { isSecretName, REDACTED, redactText, redactValue } from '../logging/redaction';
import { fullyDecoded } from '../logging/full-decoding';
import { decodedStart, jsonStart } from './text-starts';

/** A request and its answer, secrets included, which is kept in memory only, until it is written. */
export type SeenRequest = {
  readonly requestId: string;
  /** Null where no key was authenticated. */
  readonly merchantId: string | null;
  readonly mode: Mode | null;
  /** Null where a person asked, and where no key was authenticated. */
  readonly keyId: string | null;
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

/**
 * The kept part of a request. Bodies are JSON, cut off at SHOWN_BYTES; the values of headers with credentials are
 * left out.
 */
export type LoggedRequest = {
  readonly request_id: string;
  readonly merchant_id: string | null;
  readonly mode: Mode | null;
  readonly key_id: string | null;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly status: number;
  /** The status's first digit, by which lists are asked for. */
  readonly status_class: number;
  readonly code: ErrorCode | null;
  readonly ms: number;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string | null;
  readonly response_body: string | null;
  readonly ip: string | null;
  readonly created: string;
};

/** The kept bytes of a path, a query, a header or a body; no more characters than this are looked at. */
const SHOWN_BYTES = 4_096;
/** The kept characters of a stranger's path as it was sent, more than any path of the service has. */
const STRANGERS_PATH_LENGTH = 200;
const STATUSES_PER_CLASS = 100;
/** The longest UTF-8 form of a UTF-16 code unit. */
const LONGEST_CHARACTER_BYTES = 3;
/** Names of headers that hold credentials, beyond those that are secret everywhere; in parts between hyphens. */
const CREDENTIALS = /(?:^|-)(?:auth|authorization|key|apikey|signature|session|credentials?|jwt|csrf|otp|pin)(?:-|$)/i;

/** The part of a request that may be stored: without secrets, and of a bounded size. */
export function loggedRequest(seen: SeenRequest): LoggedRequest {
  const mark = seen.target.indexOf('?');
  const path = mark < 0 ? seen.target : seen.target.slice(0, mark);
  return {
    request_id: seen.requestId,
    merchant_id: seen.merchantId,
    mode: seen.mode,
    key_id: seen.keyId,
    method: seen.method,
    route: seen.route,
    path: shownPath(path),
    query: mark < 0 ? null : shownQuery(seen.target.slice(mark + 1)),
    status: seen.status,
    status_class: Math.floor(seen.status / STATUSES_PER_CLASS),
    code: seen.code,
    ms: seen.ms,
    request_headers: shownHeaders(seen.headers),
    request_body: shownBody(seen.requestBody),
    response_body: shownBody(seen.responseBody),
    ip: seen.ip,
    created: isoTime(seen.receivedMs),
  };
}

/** The kept part of a request that no key was authenticated for: a line, so that floods fill no disk. */
export function strangersRequest(seen: SeenRequest): LoggedRequest {
  const [path = ''] = seen.target.slice(0, STRANGERS_PATH_LENGTH + 1).split('?', 1);
  const isLong = path.length > STRANGERS_PATH_LENGTH;
  const start = shownPath(path.slice(0, STRANGERS_PATH_LENGTH));
  return {
    request_id: seen.requestId,
    merchant_id: null,
    mode: null,
    key_id: null,
    method: seen.method,
    route: seen.route,
    path: isLong ? `${start}…` : start,
    query: null,
    status: seen.status,
    status_class: Math.floor(seen.status / STATUSES_PER_CLASS),
    code: seen.code,
    ms: seen.ms,
    request_headers: {},
    request_body: null,
    response_body: null,
    ip: seen.ip,
    created: isoTime(seen.receivedMs),
  };
}

/** The path is decoded first, since a secret may be written with percent signs. */
function shownPath(path: string): string {
  const decoded = decodedStart(path, SHOWN_BYTES);
  return decoded === null ? '[not decodable]' : cut(redactText(withoutHiddenSecret(decoded)), isLong(path));
}

/** A secret may be encoded several times, and the text is then shown decoded, without it. */
function withoutHiddenSecret(text: string): string {
  const decoded = fullyDecoded(text);
  const redacted = redactText(decoded);
  return redacted === decoded ? text : redacted;
}

function shownQuery(query: string): string {
  const sent = [...new URLSearchParams(query.slice(0, SHOWN_BYTES))];
  const parameters = Object.fromEntries(sent.map(pair => pair.map(withoutHiddenSecret) as [string, string]));
  const shown = redactValue(parameters) as Readonly<Record<string, string>>;
  const pairs = Object.entries(shown).map(([name, value]) => `${name}=${value}`);
  return cut(pairs.join('&'), isLong(query));
}

function shownHeaders(headers: SeenRequest['headers']): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => {
    const isCredential = CREDENTIALS.test(name) || isSecretName(name);
    return [shownText(name), isCredential ? REDACTED : shownText(String(value))];
  });
  return Object.fromEntries(shown);
}

function shownText(text: string): string {
  return cut(redactText(text.slice(0, SHOWN_BYTES)), isLong(text));
}

/** A body that is not JSON may hold a secret anywhere, so only its length is kept. */
function shownBody(text: string | null): string | null {
  if (text === null) return null;
  let value: JsonValue;
  try {
    value = redactValue(JSON.parse(jsonStart(text, SHOWN_BYTES)));
  } catch {
    return `[not JSON, ${Buffer.byteLength(text)} bytes]`;
  }
  return cut(JSON.stringify(value), isLong(text));
}

function isLong(text: string): boolean {
  return text.length > SHOWN_BYTES;
}

/** A cut character ends as U+FFFD. Most texts are too short to need a cut, whatever their characters are. */
function cut(text: string, isCut: boolean): string {
  if (!isCut && text.length * LONGEST_CHARACTER_BYTES <= SHOWN_BYTES) return text;
  const bytes = Buffer.from(text);
  const kept = bytes.length <= SHOWN_BYTES ? text : bytes.subarray(0, SHOWN_BYTES).toString();
  return isCut || bytes.length > SHOWN_BYTES ? `${kept}… (cut)` : text;
}
