const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));|&/g;
const HIGHEST_CODE_POINT = 0x10ffff;

/**
 * Text with its references resolved: those five and numbers. Null where it has any other, since only a document type
 * could say what that is.
 */
export function unescapeXml(text: string): string | null {
  let isKnown = true;
  const resolved = text.replace(REFERENCE, (_, decimal?: string, hex?: string, name?: string) => {
    const codePoint = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null;
    const value = codePoint === null ? PREDEFINED[name ?? ''] : characterOf(codePoint);
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? resolved : null;
}

function characterOf(codePoint: number): string | undefined {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint === 0 || isSurrogate || codePoint > HIGHEST_CODE_POINT ? undefined : String.fromCodePoint(codePoint);
}
