import { checkMetadata } from '../../src/kernel/metadata';
import { currencyDecimals } from '../../src/vocabulary/currencies';
import { isRefusal, refuse, type ErrorCode } from '../../src/vocabulary/errors';
import { bpsOfPercent } from '../words/percent';
import { typedMinorUnits } from '../words/typed-amount';

type TypedCurrency = { readonly code: string; readonly decimals: number };
type Words = Partial<Readonly<Record<ErrorCode, string>>>;
type Separators = Parameters<typeof typedMinorUnits>[1];

const ENGLISH: Separators = { decimal: '.', group: ',' };
const WHOLE = /^\d{1,15}$/;

/** The currency that somebody has typed. Throws Refusal currency_not_supported. */
export function typedCurrency(text: string = ''): TypedCurrency {
  const code = text.trim().toUpperCase();
  const decimals = currencyDecimals(code);
  if (decimals !== null) return { code, decimals };
  throw refuse('currency_not_supported', { param: 'currency', message: 'A currency is three letters, such as EUR.' });
}

/** The whole minor units of a typed amount. Throws the refusals of an amount, which name the field. */
export function typedAmount(text: string = '', { code, decimals }: TypedCurrency, param: string): bigint {
  if (text.trim() === '') throw refuse('parameter_missing', { param });
  const words = {
    invalid_amount: `Write an amount such as ${decimals === 0 ? '1250' : `12.${'50'.padEnd(decimals, '0')}`}.`,
    excess_precision: `Amounts in ${code} have ${decimals === 0 ? 'no' : `at most ${decimals}`} decimals.`,
  };
  return named(param, () => typedMinorUnits(text, ENGLISH, { code, decimals, signs: [] }), words);
}

/** The basis points of a typed percentage, such as `7.5`. Throws Refusal invalid_bps. */
export function typedPercent(text: string = '', param: string): number {
  const bps = bpsOfPercent(text);
  if (bps !== null) return bps;
  throw refuse('invalid_bps', { param, message: 'Write a percentage with at most two decimals, such as 0.5.' });
}

/** The note of a decision, which the decision itself judges. */
export function typedNote(text: string = ''): string {
  return text.trim();
}

/** Null where nothing was typed. */
export function typedText(text: string = ''): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** A typed count as a number; another text stays as it is, for the rules of its field to refuse. */
export function typedWhole(text: string = ''): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  return WHOLE.test(typed) ? Number(typed) : typed;
}

/** Metadata of one pair a line, as `name=value`. Throws Refusal invalid_metadata_key, and those of checkMetadata. */
export function typedMetadata(text: string = ''): Readonly<Record<string, string>> {
  return named('metadata', () => checkMetadata(pairsIn(text)));
}

function pairsIn(text: string): Readonly<Record<string, string>> {
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const pairs = lines.map(line => {
    const at = line.indexOf('=');
    if (at < 1) throw refuse('invalid_metadata_key', { message: `Write “${line}” as name=value.` });
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  const names = new Set(pairs.map(([name]) => name));
  if (names.size < pairs.length) throw refuse('invalid_metadata_key', { message: 'Each name stands in one line.' });
  return Object.fromEntries(pairs);
}

/** Names the form's field in a refusal, and says it in words for people where the API speaks to programs. */
function named<Value>(param: string, read: () => Value, words: Words = {}): Value {
  try {
    return read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refuse(error.code, { param, message: words[error.code] ?? error.message });
  }
}
