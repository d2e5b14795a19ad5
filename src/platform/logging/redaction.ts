const REDACTED = '[redacted]';

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
  /\bBearer\s+[^\s"\\]+/g,
];
const URL_CREDENTIALS = /(\b[a-z][a-z+.-]*:\/\/)[^\s"/@]+@/gi;

/**
 * Takes secrets out of one serialized log line and leaves it JSON. It works on the text, so no depth, error stack or message that a
 * secret slipped into is beyond it.
 */
export function redactLine(line: string): string {
  const withoutFields = line.replace(SECRET_FIELD, `$1"${REDACTED}"`).replace(URL_CREDENTIALS, `$1${REDACTED}@`);
  return SECRET_VALUES.reduce((text, pattern) => text.replace(pattern, REDACTED), withoutFields);
}
