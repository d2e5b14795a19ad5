import type { JsonValue } from '../../vocabulary/json';

export const REDACTED = '[redacted]';

/** Fields whose value is a secret anywhere in a line; matched without regard to case. */
const SECRET_FIELDS = [
  'authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'mfa-code', 'mfa-proof', 'secret', 'signing_secret',
  'secret_key', 'secretKey', 'formerSecretKey', 'wrapped', 'api_key', 'apiKey', 'coingeckoApiKey', 'x-cg-demo-api-key',
  'password', 'totp', 'totp_secret', 'totp_seed', 'totpSeed', 'seed', 'proof', 'idempotency-key',
]; // prettier-ignore

/** A field's name in serialized JSON; inside a text its quotation marks are escaped. */
const FIELD = /"([\w-]+)"\s*:\s*/g;
/** A text or a bracket. A text without its own end ends with the line. */
const TEXT_OR_BRACKET = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[[\]{}]/g;
const PLAIN_VALUE = /[^\s,{}[\]"]*/y;
const SECRET_VALUES = [
  /\b(?:sk|pk|rk)_(?:test|live)_[0-9A-Za-z]+/g,
  /\bwhsec_[0-9A-Za-z+/=_-]+/g,
  /\bmfap_[0-9A-Za-z_-]+/g,
  /\bBearer\s+[^\s"\\]+/g,
];
/** Names which tell that their value is a secret. */
const SECRET_NAME = /(?:secret|password|passphrase|cookie|private_key|seed|(?:^|[_-])(?:token|otp))$/i;
/** A key in a path or a query may stand behind any character, so the boundaries of SECRET_VALUES are left out. */
const KEY_ANYWHERE = /(?:sk|pk|rk)_(?:test|live)_[0-9A-Za-z]+/g;
/** Marks of which every secret in a text has one. Most texts have none and pass by this one look. */
const MAY_HOLD_SECRET = /_(?:test|live)_|whsec_|mfap_|Bearer|:\/\//i;
/**
 * The codes that a field `code` may show: those of the error catalogue. Any other value may be a one-time code, in any
 * spelling.
 */
const ERROR_CODE = /^[a-z]+(?:_[a-z]+)*$/;
const SECRET_NAMES: ReadonlySet<string> = new Set(SECRET_FIELDS.map(name => name.toLowerCase()));
const DEPTH_LIMIT = 24;

const URL_CREDENTIALS = /:\/\/[^\s"/@]+@/g;
const WORD = /\S+/g;

/**
 * Takes secrets out of one serialized log line and leaves it JSON. The text itself is searched, so no depth, error
 * stack or message can hide a secret.
 */
export function redactLine(line: string): string {
  const shown = withoutSecretFields(line);
  return MAY_HOLD_SECRET.test(shown) ? redactTokens(shown) : shown;
}

function withoutSecretFields(line: string): string {
  let shown = '';
  let from = 0;
  FIELD.lastIndex = 0;
  for (let field = FIELD.exec(line); field; field = FIELD.exec(line)) {
    if (!SECRET_NAMES.has((field[1] as string).toLowerCase())) continue;
    shown += `${line.slice(from, FIELD.lastIndex)}"${REDACTED}"`;
    from = valueEnd(line, FIELD.lastIndex);
    FIELD.lastIndex = from;
  }
  return shown + line.slice(from);
}

/** The end of the value that begins at `start`, with all that it encloses. */
function valueEnd(line: string, start: number): number {
  if (!'"[{'.includes(line.charAt(start))) {
    PLAIN_VALUE.lastIndex = start;
    PLAIN_VALUE.test(line);
    return PLAIN_VALUE.lastIndex;
  }
  let depth = 0;
  TEXT_OR_BRACKET.lastIndex = start;
  for (let token = TEXT_OR_BRACKET.exec(line)?.[0]; token; token = TEXT_OR_BRACKET.exec(line)?.[0]) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth === 0) return TEXT_OR_BRACKET.lastIndex;
  }
  return line.length;
}

/**
 * A JSON value without any secret: without values under a secret's name, at any depth, and without texts that look like
 * one.
 */
export function redactValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'object' || depth === DEPTH_LIMIT) return REDACTED;
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const secret = member !== null && typeof member !== 'boolean' && isSecret(name, member);
    return [redactText(name), secret ? REDACTED : redactValue(member, depth + 1)];
  });
  return Object.fromEntries(members);
}

/** The text without any part that looks like a secret. */
export function redactText(text: string): string {
  return MAY_HOLD_SECRET.test(text) ? redactTokens(text.replace(KEY_ANYWHERE, REDACTED)) : text;
}

function redactTokens(text: string): string {
  const withoutCredentials = text.replace(URL_CREDENTIALS, `://${REDACTED}@`);
  return SECRET_VALUES.reduce((rest, pattern) => rest.replace(pattern, REDACTED), withoutCredentials);
}

/** The text with URLs that show no credentials, in any spelling. */
export function hideCredentials(text: string): string {
  return text.replace(WORD, word => {
    const [start, end] = [word.indexOf(':'), word.lastIndexOf('@')];
    if (start < 0 || end < start) return word;
    return `${word.slice(0, start)}${word.startsWith('://', start) ? '://' : ':'}…${word.slice(end)}`;
  });
}

function isSecret(name: string, value: unknown): boolean {
  return isSecretName(name) || (name === 'code' && !ERROR_CODE.test(String(value)));
}

/** Whether the value of a field or a header with this name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase()) || SECRET_NAME.test(name);
}
