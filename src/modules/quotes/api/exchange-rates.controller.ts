import { Controller, Get, Query } from '@nestjs/common';
import { refuse } from '../../../vocabulary/errors';
import { CurrentCaller, RequireKey, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { exchangeRates } from '../exchange-rates';
import { requireCurrency } from '../quotable';
import { RateBook } from '../rate-book';
import { EXCHANGE_RATE_OPERATIONS, type ExchangeRateList } from './exchange-rates.contract';

const URL_PATH = '/v1/exchange_rates';
const FILTER = 'currency';

@Tagged('Exchange rates')
@Controller('v1/exchange_rates')
export class ExchangeRatesController {
  constructor(private readonly rates: RateBook) {}

  /** The whole list in one page, which is as long as the list of currencies. */
  @Get()
  @RequireKey()
  @Documented(EXCHANGE_RATE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): ExchangeRateList {
    const data = exchangeRates(this.rates, caller.mode, currencyFilter(query));
    return { object: 'list', url: URL_PATH, has_more: false, data };
  }
}

function currencyFilter(query: Record<string, unknown>): string | null {
  const unknown = Object.keys(query).find(key => key !== FILTER);
  if (unknown !== undefined) throw refuse('invalid_filter', { param: unknown });
  const currency = query[FILTER];
  if (currency === undefined) return null;
  if (typeof currency !== 'string') throw refuse('invalid_currency', { param: FILTER });
  requireCurrency(currency);
  return currency;
}
