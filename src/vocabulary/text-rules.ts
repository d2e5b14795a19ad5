import { characterCount } from './characters';

/** Limits of a text. The field that takes the text and the decision about it judge by one rule. */
export type TextRule = {
  /** The greatest number of Unicode characters, as JSON Schema counts them. */
  readonly max?: number;
  /** A text of white space is refused. */
  readonly isWritten?: true;
  /** A text with control characters is refused. */
  readonly isOneLine?: true;
  /** A text with control characters other than line breaks is refused. */
  readonly isPlain?: true;
};

export const WRITTEN = /\S/;
export const ONE_LINE = /^\P{Cc}*$/u;
export const PLAIN = /^[\P{Cc}\r\n]*$/u;

export function keepsRule(text: string, { max = Infinity, isWritten, isOneLine, isPlain }: TextRule): boolean {
  if (isWritten && !WRITTEN.test(text)) return false;
  if (characterCount(text) > max) return false;
  return (!isOneLine || ONE_LINE.test(text)) && (!isPlain || PLAIN.test(text));
}
