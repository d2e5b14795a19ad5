import { refuse } from '../../src/vocabulary/errors';
import { parseDecimal } from '../../src/vocabulary/money';

/** The marks of a language between the digits of a number. */
type Separators = { readonly decimal: string; readonly group: string };

type Currency = { readonly code: string; readonly decimals: number; readonly signs: readonly string[] };

const ARABIC_DIGITS = /[\u0660-\u0669]/g;
const PERSIAN_DIGITS = /[\u06f0-\u06f9]/g;
const FIRST_ARABIC = 0x0660;
const FIRST_PERSIAN = 0x06f0;
/** Marks of direction, which phones put in by themselves. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Raised, circled and broken numbers, which are digits of another meaning: `1²` is not 12. */
const ODD_NUMBER = /\p{No}/u;
/** Marks that group digits in every language. */
const GROUPS = /(?<=\d)[ '\u2019\u066c](?=\d{3}(?:\D|$))/g;
const ARABIC_POINT = '\u066b';
const THOUSANDS = /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/;

/**
 * The whole minor units of an amount as a person of the language writes it: `1.234,5` in German, `١٢٫٥٠` in Arabic.
 * Exact: no digit is rounded away. A text with two meanings is refused. Throws Refusal invalid_amount, and those of
 * parseDecimal.
 */
export function typedMinorUnits(text: string, language: Separators, currency: Currency): bigint {
  if (ODD_NUMBER.test(text)) throw refuse('invalid_amount');
  const digits = withoutCurrency(withLatinDigits(text), currency).replaceAll(GROUPS, '');
  const decimal = withPoint(digits, language);
  return parseDecimal(decimal.startsWith('.') ? `0${decimal}` : decimal, currency.decimals);
}

function withLatinDigits(text: string): string {
  const latin = (first: number) => (digit: string) => String(digit.charCodeAt(0) - first);
  return text
    .normalize('NFKC')
    .replaceAll(DIRECTIONS, '')
    .replaceAll(ARABIC_DIGITS, latin(FIRST_ARABIC))
    .replaceAll(PERSIAN_DIGITS, latin(FIRST_PERSIAN))
    .trim();
}

/** People write the currency before the digits or behind them. */
function withoutCurrency(text: string, { code, signs }: Currency): string {
  for (const name of [code, code.toLowerCase(), ...signs.map(sign => sign.normalize('NFKC'))]) {
    if (name === '') continue;
    if (text.startsWith(name)) return text.slice(name.length).trim();
    if (text.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text;
}

/** The number with a point before its decimals, and with no other mark. */
function withPoint(digits: string, { decimal, group }: Separators): string {
  if (digits.includes(ARABIC_POINT)) return digits.replace(ARABIC_POINT, '.');
  const last = [...digits].findLast(character => character === '.' || character === ',');
  if (last === undefined) return digits;
  const other = last === '.' ? ',' : '.';
  const at = digits.lastIndexOf(last);
  if (digits.includes(other)) {
    // Of two marks, the last one begins the decimals, and the other one groups.
    const whole = digits.slice(0, at);
    if (!THOUSANDS.test(whole)) throw refuse('invalid_amount');
    return `${whole.replaceAll(other, '')}.${digits.slice(at + 1)}`;
  }
  if (digits.indexOf(last) < at) return ungrouped(digits, last);
  if (last === decimal || !THOUSANDS.test(digits)) return digits.replace(last, '.');
  // The mark groups in the language. Any other mark may group elsewhere, so that the text has two meanings.
  if (last === group) return ungrouped(digits, last);
  throw refuse('invalid_amount');
}

function ungrouped(digits: string, mark: string): string {
  if (!THOUSANDS.test(digits)) throw refuse('invalid_amount');
  return digits.replaceAll(mark, '');
}
