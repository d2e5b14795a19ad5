import { characterCount } from './characters';

const MAX_LENGTH = 100;
const PATH = /^.*[/\\]/su;
/** Characters that are invisible, turn the text's direction, or have a meaning in a header or a file system. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"*:;<>?|%]/gu;

/** A file's name as it can be shown, stored and served: without a path, and never empty. Its end stays. */
export function cleanFileName(text: string): string {
  const name = text.normalize('NFC').replace(PATH, '').replace(UNSAFE, '').replace(/\s+/gu, ' ').trim();
  const bare = name.replace(/^\.+/u, '').trim();
  if (bare === '') return 'file';
  return characterCount(bare) <= MAX_LENGTH ? bare : [...bare].slice(-MAX_LENGTH).join('').trim();
}
