import { Module, type DynamicModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import type { Clock } from '../src/kernel/clock';
import type { Entropy } from '../src/kernel/entropy';
import type { Log } from '../src/kernel/ports/log';
import type { DocumentUrls } from '../src/platform/http/openapi';
import type { IdempotencyRecords } from '../src/platform/idempotency/idempotency-records';
import { CheckoutPages } from './checkout/checkout-pages';
import { DocsPages } from './docs/docs-pages';
import { BuiltPages } from './http/built-pages';
import { CustomerPages } from './http/customer-pages';
import { EnglishPages } from './http/english-pages';
import { FormWork } from './http/form-work';
import { LivePages } from './http/live-pages';
import { CHECKOUT, PageSender } from './http/page-sender';
import { PayPages } from './pay/pay-pages';
import { InvoicePages } from './invoices/invoice-pages';
import { CONTROLLERS } from './pages';

type WebParts = {
  readonly built: BuiltPages;
  readonly urls: DocumentUrls;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly forms: IdempotencyRecords;
  /** The path below which customers reach the service; empty where that is the host itself. */
  readonly checkoutRoot: string;
  /** A text that is another one once anything that an open page shows may have changed. */
  readonly change: () => Promise<string>;
};

/** The pages of the service. */
@Module({})
export class WebModule {
  static with({ built, urls, clock, entropy, log, forms, checkoutRoot, change }: WebParts): DynamicModule {
    const english = new EnglishPages(built, urls);
    const live = new LivePages(change, clock, log);
    const pages = new CustomerPages({
      pages: new PageSender(built, checkoutRoot, CHECKOUT),
      forms: new FormWork(forms, clock),
      live,
      entropy,
    });
    return {
      module: WebModule,
      imports: [CqrsModule],
      controllers: [...CONTROLLERS],
      providers: [
        { provide: BuiltPages, useValue: built },
        { provide: EnglishPages, useValue: english },
        {
          provide: DocsPages,
          inject: [ModulesContainer],
          useFactory: (modules: ModulesContainer): DocsPages => new DocsPages(built, english, modules),
        },
        { provide: LivePages, useValue: live },
        { provide: CustomerPages, useValue: pages },
        {
          provide: InvoicePages,
          inject: [QueryBus, CommandBus],
          useFactory: (queries: QueryBus, commands: CommandBus): InvoicePages =>
            new InvoicePages(queries, commands, pages),
        },
        {
          provide: CheckoutPages,
          inject: [QueryBus],
          useFactory: (queries: QueryBus): CheckoutPages => new CheckoutPages(queries, pages),
        },
        {
          provide: PayPages,
          inject: [QueryBus, CommandBus],
          useFactory: (queries: QueryBus, commands: CommandBus): PayPages => new PayPages(queries, commands, pages),
        },
      ],
    };
  }
}
