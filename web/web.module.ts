import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import type { AccessReader } from '../src/kernel/access-reader';
import type { Entropy } from '../src/kernel/entropy';
import type { MerchantClocks } from '../src/kernel/merchant-clocks';
import type { Log } from '../src/kernel/ports/log';
import type { SecretBox } from '../src/kernel/ports/secret-box';
import { ReconciliationReader } from '../src/modules/books/api/reconciliation.reader';
import type { CustomerCountries } from '../src/modules/controls/customer-countries';
import { ExportFiles } from '../src/modules/exports/api/export-files';
import { FeeReader } from '../src/modules/fees/api/fee.reader';
import { UnmatchedTransferReader } from '../src/modules/transfers/api/unmatched-transfer.reader';
import type { DocumentUrls } from '../src/platform/http/openapi';
import type { IdempotencyRecords } from '../src/platform/idempotency/idempotency-records';
import type { Mode } from '../src/vocabulary/modes';
import { CheckoutPages } from './checkout/checkout-pages';
import { composeConsole } from './console/console';
import { ReviewDecisions } from './dashboard/payments/review-decisions';
import { composeDashboard } from './dashboard/dashboard';
import { DocsPages } from './docs/docs-pages';
import { BuiltPages } from './http/built-pages';
import { ConsolePages } from './http/console-pages';
import { CustomerPages } from './http/customer-pages';
import { DashboardPages } from './http/dashboard-pages';
import { EnglishPages } from './http/english-pages';
import { FormWork } from './http/form-work';
import { LAST_MAIL, type LastMail } from './http/last-mail';
import { LivePages, type ChangeReads } from './http/live-pages';
import { CHECKOUT, PageSender } from './http/page-sender';
import { RealmAdmission } from './http/realm-admission';
import { PayPages } from './pay/pay-pages';
import { InvoicePages } from './invoices/invoice-pages';
import { CONTROLLERS, PAGES, RELOADS } from './pages';

type WebParts = {
  readonly built: BuiltPages;
  readonly urls: DocumentUrls;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly forms: IdempotencyRecords;
  /** The path below which customers reach the service; empty where that is the host itself. */
  readonly checkoutRoot: string;
  /** The path below which people reach the dashboard; empty where that is the host itself. */
  readonly dashboardRoot: string;
  /** The path below which administrators reach the console; empty where that is the host itself. */
  readonly consoleRoot: string;
  readonly modes: readonly Mode[];
  /** Modules whose parts the pages ask. */
  readonly modules: readonly (Type | DynamicModule)[];
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly access: Pick<AccessReader, 'read'>;
  readonly customers: CustomerCountries;
  readonly lastMail: LastMail;
  readonly changes: ChangeReads;
};

/** The dashboard's parts, of which each request uses both. */
type Dashboard = ReturnType<typeof composeDashboard>;
const DASHBOARD = Symbol('dashboard');
/** The console's parts. */
type Console = ReturnType<typeof composeConsole>;
const CONSOLE = Symbol('console');

/** The pages of the service. */
@Module({})
export class WebModule {
  static with(parts: WebParts): DynamicModule {
    const { built, urls, clock, entropy, log, checkoutRoot, customers } = parts;
    const forms = new FormWork(parts.forms, clock);
    const english = new EnglishPages(built, urls);
    const live = new LivePages(parts.changes, clock, log);
    const pages = new CustomerPages({
      pages: new PageSender(built, checkoutRoot, CHECKOUT),
      forms,
      live,
      entropy,
      customers,
    });
    return {
      module: WebModule,
      imports: [CqrsModule, ...parts.modules],
      controllers: [...CONTROLLERS, ...RELOADS],
      providers: [
        { provide: BuiltPages, useValue: built },
        { provide: EnglishPages, useValue: english },
        {
          provide: DocsPages,
          inject: [ModulesContainer],
          useFactory: (modules: ModulesContainer): DocsPages => new DocsPages(built, english, modules),
        },
        {
          provide: DASHBOARD,
          inject: [CommandBus],
          useFactory: (commands: CommandBus): Dashboard =>
            composeDashboard({ ...parts, forms, live, root: parts.dashboardRoot, pages: PAGES }, commands),
        },
        { provide: DashboardPages, inject: [DASHBOARD], useFactory: ({ pages }: Dashboard) => pages },
        {
          provide: CONSOLE,
          inject: [CommandBus],
          useFactory: (commands: CommandBus): Console =>
            composeConsole({ ...parts, forms, live, root: parts.consoleRoot, pages: PAGES }, commands),
        },
        { provide: ConsolePages, inject: [CONSOLE], useFactory: ({ pages }: Console) => pages },
        {
          provide: RealmAdmission,
          inject: [DASHBOARD, CONSOLE],
          useFactory: ({ admission: merchant }: Dashboard, { admission: admin }: Console) =>
            new RealmAdmission({ merchant, admin }),
        },
        { provide: LAST_MAIL, useValue: parts.lastMail },
        { provide: LivePages, useValue: live },
        UnmatchedTransferReader,
        ReviewDecisions,
        ExportFiles,
        FeeReader,
        ReconciliationReader,
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
