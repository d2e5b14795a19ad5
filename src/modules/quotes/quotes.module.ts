import { Module } from '@nestjs/common';
import { ExchangeRatesController } from './api/exchange-rates.controller';

/** The composition root makes the RateBook, since it alone knows the sources, and runs it. */
@Module({ controllers: [ExchangeRatesController] })
export class QuotesModule {}
