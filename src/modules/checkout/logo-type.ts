import type { LogoType } from './brand-logos';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
/** The place of the format's name within a RIFF file: after its mark and its length. */
const RIFF_FORMAT_AT = 8;

/** The type of an image by its first bytes; null for any other content, whatever its server calls it. */
export function logoTypeOf(bytes: Uint8Array): LogoType | null {
  const has = (mark: readonly number[], at = 0): boolean => mark.every((byte, index) => bytes[at + index] === byte);
  if (has(PNG)) return 'image/png';
  if (has(JPEG)) return 'image/jpeg';
  return has(RIFF) && has(WEBP, RIFF_FORMAT_AT) ? 'image/webp' : null;
}
