import { Controller, Get, Query } from '@nestjs/common';
import { currencyDecimals } from '../../../vocabulary/currencies';
import { refuse } from '../../../vocabulary/errors';
import { CurrentCaller, RequireKey, type Caller } from '../../../platform/http/caller';
import { parsePage } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { exchangeRates } from '../exchange-rates';
import { requireCurrency } from '../quotable';
import { RateBook } from '../rate-book';
import { EXCHANGE_RATE_OPERATIONS, type ExchangeRateList } from './exchange-rates.contract';

const URL_PATH = '/v1/exchange_rates';

@Tagged('Exchange rates')
@Controller('v1/exchange_rates')
export class ExchangeRatesController {
  constructor(private readonly rates: RateBook) {}

  @Get()
  @RequireKey()
  @Documented(EXCHANGE_RATE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): ExchangeRateList {
    const { limit, startingAfter: after, filters } = parsePage(query, ['currency']);
    const { currency = null } = filters;
    if (currency !== null) requireCurrency(currency);
    if (after !== null) requireCursor(after);
    const { hasMore, data } = exchangeRates(this.rates, caller.mode, { currency, after, limit });
    return { object: 'list', url: URL_PATH, has_more: hasMore, data };
  }
}

/** A currency whose sources went away between two pages still says where the page before ended. */
function requireCursor(code: string): void {
  if (currencyDecimals(code) === null) throw refuse('invalid_cursor', { param: 'starting_after' });
}
