import { checkMetadata } from '../../../src/kernel/metadata';
import type { FormBody } from '../../../src/platform/http/form-body';
import { characterCount } from '../../../src/vocabulary/characters';
import { currencyDecimals } from '../../../src/vocabulary/currencies';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { typedMinorUnits } from '../../words/typed-amount';

type Order = {
  readonly amountMinorUnits: bigint;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

export const DESCRIPTION_LENGTH = 200;
const ENGLISH = { decimal: '.', group: ',' } as const;

/** The payment that somebody has typed. Throws the refusals of an amount, a currency, a description or metadata. */
export function typedOrder({ amount = '', currency = '', description = '', metadata = '' }: FormBody): Order {
  const code = currency.trim().toUpperCase();
  const decimals = currencyDecimals(code);
  if (decimals === null) {
    throw refuse('currency_not_supported', { param: 'currency', message: 'A currency is three letters, such as EUR.' });
  }
  const text = description.trim();
  if (characterCount(text) > DESCRIPTION_LENGTH) {
    const message = `A description has at most ${DESCRIPTION_LENGTH} characters.`;
    throw refuse('parameter_invalid', { param: 'description', message });
  }
  return {
    currency: code,
    amountMinorUnits: about('amount', () => typedMinorUnits(amount, ENGLISH, { code, decimals, signs: [] })),
    description: text === '' ? null : text,
    metadata: about('metadata', () => checkMetadata(pairsIn(metadata))),
  };
}

/** One pair a line, as `name=value`. */
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

/** Names the form's field in a refusal. */
function about<Value>(param: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refuse(error.code, { param, message: error.message });
  }
}
