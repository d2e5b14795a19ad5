import { timeRange } from '../../../kernel/timestamp';
import { filterOf, parsePage } from '../../../platform/http/lists';
import { currencyDecimals } from '../../../vocabulary/currencies';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import { parseDecimal } from '../../../vocabulary/money';
import { keepsRule, type TextRule } from '../../../vocabulary/text-rules';
import { TOKEN_IDS, type TokenId } from '../../../vocabulary/tokens';
import { STATUSES } from '../payment-intent.transitions';

const PAYMENT_FILTERS = [
  'status', 'token_id', 'amount', 'currency', 'created_from', 'created_to', 'search',
] as const; // prettier-ignore
/** A status of payments, or the payments that wait for a decision: of their merchant, or of compliance under a hold. */
const STATUS_FILTERS = [...STATUSES, 'needs_decision', 'held'] as const;
/** A pair of the metadata, with its name, is no longer. */
const SEARCH = { max: 541 } as const satisfies TextRule;

type Amount = { readonly currency: string; readonly minorUnits: string };

export type PaymentFilters = {
  readonly status: (typeof STATUS_FILTERS)[number] | null;
  readonly tokenId: TokenId | null;
  readonly amount: Amount | null;
  /** By the creation; both ends belong to the range. */
  readonly range: { readonly from?: string; readonly to?: string } | null;
  readonly search: string | null;
};

type Asked = {
  readonly filters: PaymentFilters;
  readonly limit: number;
  readonly startingAfter: string | null;
};

/**
 * The filters of a form, in which a field that is left empty filters nothing. Throws Refusal invalid_filter,
 * invalid_timestamp, invalid_range, invalid_limit or invalid_cursor, which names its field.
 */
export function parsePaymentFilters(query: Readonly<Record<string, unknown>>): Asked {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const page = parsePage(given, PAYMENT_FILTERS);
  const { amount, currency, created_from, created_to, search } = page.filters;
  const range = timeRange({ text: created_from, param: 'created_from' }, { text: created_to, param: 'created_to' });
  return {
    limit: page.limit,
    startingAfter: page.startingAfter,
    filters: {
      status: filterOf(page, 'status', STATUS_FILTERS) ?? null,
      tokenId: filterOf(page, 'token_id', TOKEN_IDS) ?? null,
      amount: amountOf(amount, currency),
      range: range ?? null,
      search: searchOf(search),
    },
  };
}

/** Whether any filter leaves payments out. */
export function isFiltered({ status, tokenId, amount, range, search }: PaymentFilters): boolean {
  return [status, tokenId, amount, range, search].some(filter => filter !== null);
}

function amountOf(amount: string | undefined, currency: string | undefined): Amount | null {
  if (amount === undefined) return null;
  const code = (currency ?? '').trim().toUpperCase();
  const decimals = currencyDecimals(code);
  if (decimals === null) {
    const message = 'An amount is looked for together with its currency, such as EUR.';
    throw refuse('invalid_filter', { param: 'currency', message });
  }
  try {
    return { currency: code, minorUnits: parseDecimal(amount.trim(), decimals).toString() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const message = `The amount is written in whole ${code} with at most ${decimals} decimals, such as ${decimals === 0 ? '25' : '25.00'}.`;
    throw refuse('invalid_filter', { param: 'amount', message });
  }
}

function searchOf(search: string | undefined): string | null {
  const text = search?.trim() ?? '';
  if (!keepsRule(text, SEARCH)) {
    throw refuse('invalid_filter', { param: 'search', message: `Search for at most ${SEARCH.max} characters.` });
  }
  return text === '' ? null : text;
}
