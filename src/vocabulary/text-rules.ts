import { characterCount } from './characters';

/** Limits of a text. The field that takes the text and the decision about it judge by one rule. */
export type TextRule = {
  /** The greatest number of Unicode characters, as JSON Schema counts them. */
  readonly max?: number;
  /** A text of white space is refused. */
  readonly isWritten?: true;
  /** A text with control characters is refused. */
  readonly isOneLine?: true;
  /** A text with control characters is refused, but for tabs and line breaks. Not together with isOneLine. */
  readonly isPlain?: true;
};

export const WRITTEN = /\S/;
export const ONE_LINE = /^\P{Cc}*$/u;
export const PLAIN = /^[\P{Cc}\t\n\r]*$/u;

/** Control characters within a class. Not every reader of a contract knows the classes of Unicode. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const LINE_PATTERN = `^[^${CONTROL}]*$`;
/** Two rules in one: the first character that is no white space has one place only. */
const WRITTEN_LINE_PATTERN = `^[^\\S${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
const IN_PLAIN = '[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]';
const PLAIN_PATTERN = `^${IN_PLAIN}*$`;
const WRITTEN_PLAIN_PATTERN = `^(?:[^\\S${CONTROL}]|[\\t\\n\\r])*[^\\s${CONTROL}]${IN_PLAIN}*$`;

/** The rule as a pattern of JSON Schema; null where the rule limits no characters. */
export function patternOf({ isWritten, isOneLine, isPlain }: TextRule): string | null {
  if (isPlain) return isWritten ? WRITTEN_PLAIN_PATTERN : PLAIN_PATTERN;
  if (isOneLine) return isWritten ? WRITTEN_LINE_PATTERN : LINE_PATTERN;
  return isWritten ? WRITTEN.source : null;
}

export function keepsRule(text: string, { max = Infinity, isWritten, isOneLine, isPlain }: TextRule): boolean {
  if ((isOneLine && !ONE_LINE.test(text)) || (isPlain && !PLAIN.test(text))) return false;
  return (!isWritten || WRITTEN.test(text)) && characterCount(text) <= max;
}
