import { TOKEN_IDS } from '../../../vocabulary/tokens';
import {
  arrayOf,
  decimal,
  listOf,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import type { OperationTable } from '../../../platform/http/openapi-operation';

const EXCHANGE_RATE = resource('exchange_rate', 'A currency that payments can be asked in', {
  id: text('The code of the currency', 'EUR'),
  currency: text('ISO 4217', 'EUR'),
  currency_decimals: whole('The exponent of the currency', 2),
  rates: arrayOf(
    record({
      token_id: oneOfTexts(TOKEN_IDS),
      rate: decimal('Token units for one major unit of the currency', '1.0861216'),
      observed_at: timestamp('Of the oldest observation in it'),
      sources: arrayOf(text('Whose observations it comes from', 'kraken')),
    }),
  ),
});

const EXCHANGE_RATES = listOf(EXCHANGE_RATE);

export type ExchangeRateList = Answer<typeof EXCHANGE_RATES>;

export const EXCHANGE_RATE_OPERATIONS = {
  list: {
    id: 'listExchangeRates',
    summary: 'List the currencies that payments can be asked in, with their rates of this moment',
    description: 'By code, page by page.',
    answer: EXCHANGE_RATES,
    paged: true,
    query: { currency: text('Three uppercase letters; only this currency', 'EUR') },
    refuses: ['invalid_currency', 'currency_not_supported'],
  },
} as const satisfies OperationTable;
