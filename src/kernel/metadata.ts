import { characterCount } from '../vocabulary/characters';
import { refuse } from '../vocabulary/errors';

export const METADATA_KEYS_LIMIT = 20;
/** ASCII without its control characters. */
export const METADATA_KEY_PATTERN = /^[\x20-\x7e]{1,40}$/;
export const METADATA_VALUE_LENGTH = 500;
const TOTAL_BYTES = 8_000;

/** Short ASCII keys to strings: at most 20 keys of 40 characters, values of 500, and 8,000 bytes in all as JSON. */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(metadata);
  for (const [key, value] of entries) {
    const param = `metadata.${key}`;
    if (!METADATA_KEY_PATTERN.test(key)) throw refuse('invalid_metadata_key', { param: 'metadata' });
    if (typeof value !== 'string') throw refuse('invalid_metadata_value', { param });
    if (characterCount(value) > METADATA_VALUE_LENGTH) throw refuse('metadata_too_large', { param });
  }
  const tooLarge = entries.length > METADATA_KEYS_LIMIT || Buffer.byteLength(JSON.stringify(metadata)) > TOTAL_BYTES;
  if (tooLarge) throw refuse('metadata_too_large', { param: 'metadata' });
  return metadata as Readonly<Record<string, string>>;
}
