import { checkMetadata } from '../../src/kernel/metadata';
import { currencyDecimals } from '../../src/vocabulary/currencies';
import { isRefusal, refuse, type ErrorCode } from '../../src/vocabulary/errors';
import { typedMinorUnits } from '../words/typed-amount';

type TypedCurrency = { readonly code: string; readonly decimals: number };
type Words = Partial<Readonly<Record<ErrorCode, string>>>;
type Separators = Parameters<typeof typedMinorUnits>[1];

const ENGLISH: Separators = { decimal: '.', group: ',' };
const WHOLE = /^\d{1,15}$/;
/** A hundredth of a percent is a basis point. */
const PERCENT = { code: '%', decimals: 2, signs: [] };

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

/** The basis points of a typed share, such as `7.5` percent; none for an empty field. Throws Refusal invalid_bps. */
export function typedPercent(text: string = '', param: string): number {
  if (text.trim() === '') return 0;
  try {
    return Number(typedMinorUnits(text, ENGLISH, PERCENT));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refuse('invalid_bps', { param });
  }
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

/** Refusals that the API tells in its own units. */
const OF_FORMS: Words = {
  invalid_bps: 'A percentage goes from 0 to 100, with at most two decimals.',
  invalid_timestamp: 'Choose a day of the calendar, such as 2027-01-31.',
  invalid_amount_range: 'The least amount must not be above the greatest one.',
};

/** Does work whose refusals name fields of the API, and names the form's own fields instead. */
export async function inForm<Value>(
  fieldOf: (param: string) => string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.param === null) throw error;
    const { code, param, message, retryAfterSeconds, cause } = error;
    const own = param.split('.').at(-1) ?? param;
    const said = message.startsWith(`${own} `) ? `This field ${message.slice(own.length + 1)}` : message;
    const text = OF_FORMS[code] ?? said;
    const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
    throw refuse(code, { param: fieldOf(param), message: text, cause, ...retry });
  }
}
