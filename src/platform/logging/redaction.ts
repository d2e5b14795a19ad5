import type { JsonValue } from '../../kernel/json';

export const REDACTED = '[redacted]';

/** Fields whose value is a secret wherever they stand in a line; matched without regard to case. */
const SECRET_FIELDS = [
  'authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'mfa-code', 'mfa-proof', 'secret', 'signing_secret',
  'secret_key', 'secretKey', 'api_key', 'apiKey', 'coingeckoApiKey', 'x-cg-demo-api-key', 'password', 'totp', 'totp_secret', 'totp_seed', 'seed', 'proof', 'idempotency-key',
]; // prettier-ignore

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const LIST = `\\[(?:${STRING}|[^\\]"])*\\]`;
const SECRET_FIELD = new RegExp(
  `("(?:${SECRET_FIELDS.join('|')})"\\s*:\\s*)(?:${STRING}|${LIST}|[^\\s,{}[\\]"]+)`,
  'gi',
);
const SECRET_VALUES = [
  /\b(?:sk|pk|rk)_(?:test|live)_[0-9A-Za-z]+/g,
  /\bwhsec_[0-9A-Za-z+/=_-]+/g,
  /\bmfap_[0-9A-Za-z_-]+/g,
  /\bBearer\s+[^\s"\\]+/g,
];
/** Names that say of themselves that their value is a secret. */
const SECRET_NAME = /(?:secret|password|passphrase|cookie|private_key|seed|(?:^|[_-])(?:token|otp))$/i;
/** Without the boundaries of SECRET_VALUES: in a path or a query a key may stand behind any other character. */
const KEY_ANYWHERE = /(?:sk|pk|rk)_(?:test|live)_[0-9A-Za-z]+/g;
/** What every secret in a text holds: most texts hold none, and are let through by this one look. */
const MAY_HOLD_SECRET = /_(?:test|live)_|whsec_|mfap_|Bearer|:\/\//i;
/** What a field `code` may show: a code of the error catalogue. Anything else may be a one-time code, however it is typed. */
const ERROR_CODE = /^[a-z]+(?:_[a-z]+)*$/;
const SECRET_NAMES: ReadonlySet<string> = new Set(SECRET_FIELDS.map(name => name.toLowerCase()));
const DEPTH_LIMIT = 24;

const URL_CREDENTIALS = /(\b[a-z][a-z+.-]*:\/\/)[^\s"/@]+@/gi;

/**
 * Takes secrets out of one serialized log line and leaves it JSON. It works on the text, so no depth, error stack or message that a
 * secret slipped into is beyond it.
 */
export function redactLine(line: string): string {
  const withoutFields = line.replace(SECRET_FIELD, `$1"${REDACTED}"`).replace(URL_CREDENTIALS, `$1${REDACTED}@`);
  return SECRET_VALUES.reduce((text, pattern) => text.replace(pattern, REDACTED), withoutFields);
}

/** A JSON value without any secret: whatever stands under a secret's name, at any depth, and what looks like a secret in any text. */
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

/** What looks like a secret, taken out of a text. */
export function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  const plain = text.replace(URL_CREDENTIALS, `$1${REDACTED}@`).replace(KEY_ANYWHERE, REDACTED);
  return SECRET_VALUES.reduce((rest, pattern) => rest.replace(pattern, REDACTED), plain);
}

function isSecret(name: string, value: unknown): boolean {
  return (
    SECRET_NAMES.has(name.toLowerCase()) ||
    SECRET_NAME.test(name) ||
    (name === 'code' && !ERROR_CODE.test(String(value)))
  );
}
