import { Module, type DynamicModule } from '@nestjs/common';
import { ExchangeRatesController } from './api/exchange-rates.controller';
import { RateBook } from './rate-book';

@Module({})
export class QuotesModule {
  /** The composition root makes the book, since it alone knows the sources, and runs it. */
  static with(rates: RateBook): DynamicModule {
    return {
      module: QuotesModule,
      controllers: [ExchangeRatesController],
      providers: [{ provide: RateBook, useValue: rates }],
      exports: [RateBook],
    };
  }
}
