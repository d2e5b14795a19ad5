const ESCAPED_ASCII = /%([0-7][0-9a-f])/gi;
/** Encodings that are looked through. Programs encode a value twice by mistake, never as often as this. */
const ROUNDS = 5;

/**
 * The text without its percent-encoding, however often a value was encoded. Only ASCII characters are decoded, since a
 * key has no others, and no escape can then be wrong.
 */
export function fullyDecoded(text: string): string {
  let decoded = text;
  for (let round = 0; round < ROUNDS && decoded.includes('%'); round++) {
    decoded = decoded.replace(ESCAPED_ASCII, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  return decoded;
}
