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
/** Two rules in one pattern, for the contract. The first character that is no white space has one place only. */
export const WRITTEN_LINE = /^[^\S\p{Cc}]*[^\s\p{Cc}]\P{Cc}*$/u;
const WRITTEN_PLAIN = /^(?:[^\S\p{Cc}]|[\r\n])*[^\s\p{Cc}][\P{Cc}\r\n]*$/u;

/** The pattern of JSON Schema, whose patterns are Unicode's; null where the rule limits no characters. */
export function patternOf({ isWritten, isOneLine, isPlain }: TextRule): string | null {
  if (isOneLine) return (isWritten ? WRITTEN_LINE : ONE_LINE).source;
  if (isPlain) return (isWritten ? WRITTEN_PLAIN : PLAIN).source;
  return isWritten ? WRITTEN.source : null;
}

export function keepsRule(text: string, { max = Infinity, isWritten, isOneLine, isPlain }: TextRule): boolean {
  if (isWritten && !WRITTEN.test(text)) return false;
  if (characterCount(text) > max) return false;
  return (!isOneLine || ONE_LINE.test(text)) && (!isPlain || PLAIN.test(text));
}
