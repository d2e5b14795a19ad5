/** Far more than two signatures need; a longer header is not the service's. */
const MAX_HEADER_LENGTH = 4_096;
const DIGITS = /^\d{1,15}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/;

export interface SignatureHeader {
  /** Unix seconds, in the very digits that were signed. */
  readonly timestamp: string;
  /** The signatures of the scheme v1, which is the only one: 32 bytes each. */
  readonly signatures: readonly Uint8Array[];
}

/**
 * `t=<digits>,v1=<hex>[,v1=<hex>…]`; elements of any other scheme are skipped. Null unless there is one time and a
 * signature.
 */
export function parseSignatureHeader(header: string | undefined): SignatureHeader | null {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return null;
  const elements = header.split(',').map(element => {
    const [, scheme, value] = /^([^=]*)=(.*)$/.exec(element) ?? [];
    return { scheme, value: value ?? '' };
  });
  const values = (wanted: string): readonly string[] =>
    elements.filter(({ scheme }) => scheme === wanted).map(({ value }) => value);
  const [timestamp, ...furtherTimes] = values('t');
  const signatures = values('v1').filter(value => SHA256_HEX.test(value));
  if (timestamp === undefined || !DIGITS.test(timestamp) || furtherTimes.length > 0 || signatures.length === 0)
    return null;
  return { timestamp, signatures: signatures.map(hex => Buffer.from(hex, 'hex')) };
}
