import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { PORTS } from '../kernel/ports/injection';
import type { ReadinessCheck } from '../kernel/ports/readiness';
import { AdminsModule } from '../modules/admins/admins.module';
import { administrationProviders } from './administration';
import { AdministrationModule } from '../modules/administration/administration.module';
import { ApiKeyAuthenticator } from '../modules/api-keys/api-key-authenticator';
import { ApiKeyUses } from '../modules/api-keys/api-key-uses';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module';
import { AuditLog } from '../modules/audit/audit-log';
import { AuditModule } from '../modules/audit/audit.module';
import { BooksModule } from '../modules/books/books.module';
import { BRAND_LOGOS } from '../modules/checkout/brand-logos';
import { FeesModule } from '../modules/fees/fees.module';
import { InvoiceReader } from '../modules/invoices/api/invoice.reader';
import { InvoicesModule } from '../modules/invoices/invoices.module';
import { CustomerCountries } from '../modules/controls/customer-countries';
import { ControlsModule } from '../modules/controls/controls.module';
import { VelocityCounts } from '../modules/controls/velocity-counts';
import { CoverageModule } from '../modules/coverage/coverage.module';
import { ExportsUnderWay } from '../modules/exports/exports-under-way';
import { ExportsModule } from '../modules/exports/exports.module';
import { KillSwitchesModule } from '../modules/kill-switches/kill-switches.module';
import { KybModule } from '../modules/kyb/kyb.module';
import { MerchantMfa } from '../modules/users/merchant-mfa';
import { MerchantsModule } from '../modules/merchants/merchants.module';
import { PaymentIntentReader } from '../modules/payment-intents/api/payment-intent.reader';
import { OutboxModule } from '../modules/outbox/outbox.module';
import { PaymentIntentsModule } from '../modules/payment-intents/payment-intents.module';
import { PaymentLinkReader } from '../modules/payment-links/api/payment-link.reader';
import { PaymentLinksModule } from '../modules/payment-links/payment-links.module';
import { QuotesModule } from '../modules/quotes/quotes.module';
import { RateBook } from '../modules/quotes/rate-book';
import { RoutesModule } from '../modules/routes/routes.module';
import {
  SANDBOX_CUSTOMERS,
  SendSandboxTransferHandler,
  type SandboxCustomers,
} from '../modules/sandbox/commands/send-sandbox-transfer.command';
import { SandboxModule } from '../modules/sandbox/sandbox.module';
import { StreamsModule } from '../modules/streams/streams.module';
import type { SystemReads } from '../modules/system/system-reads';
import { SystemModule } from '../modules/system/system.module';
import { TransfersModule } from '../modules/transfers/transfers.module';
import { CHALLENGE_DOMAIN } from '../modules/wallets/commands/issue-wallet-challenge.command';
import { MESSAGE_SIGNATURES } from '../modules/wallets/message-signatures';
import { VERIFICATION_ADDRESSES } from '../modules/wallets/verification-method';
import { SIGN_UP } from '../modules/users/sign-up';
import { UsersModule } from '../modules/users/users.module';
import { WalletsModule } from '../modules/wallets/wallets.module';
import { WebhookEventReader } from '../modules/webhooks/api/webhook-event.reader';
import { WebhookPayments } from '../modules/webhooks/webhook-payments';
import { WebhooksModule } from '../modules/webhooks/webhooks.module';
import { AccountsModule } from './accounts.module';
import { AdministratorsModule } from './administrators.module';
import { composeFees } from './fees';
import { matchingProviders } from './matching';
import { peopleMailPorts } from './notices';
import { paymentDocumentsAfter } from './payment-documents';
import { PortsModule } from './ports.module';
import { passkeyPorts, SignInModule } from './sign-in.module';
import { sandboxCustomers, type Sandbox } from './sandbox';
import type { ServiceParts } from './service-parts';
import { KeyAuthentication, MfaVerification } from '../platform/http/authentication';
import { HealthController, READINESS_CHECKS } from '../platform/http/health.controller';
import type { IdempotencyRecords } from '../platform/idempotency/idempotency-records';
import { RequestLog } from '../platform/request-log/request-log';
import { checkoutRootOf, consoleRootOf, customersUrlOf, dashboardRootOf } from '../platform/http/page-roots';
import type { BuiltPages } from '../../web/http/built-pages';
import type { LastMail } from '../../web/http/last-mail';
import { WebModule } from '../../web/web.module';
import { AdjustFeesHandler, FeeBilling, InvoiceFeesHandler, PayFeeInvoiceHandler } from '../processes/fees/fee-billing';
import {
  CheckoutPayments,
  GetCheckoutNamingHandler,
  GetCheckoutPaymentHandler,
  GetCheckoutTermsHandler,
  GetPlayedPaymentHandler,
} from '../processes/checkout/checkout-payments';
import {
  CustomerInvoices,
  GetInvoicePageHandler,
  GetInvoiceTermsHandler,
} from '../processes/invoices/customer-invoices';
import { InvoicePayments, IssueInvoiceHandler, VoidInvoiceHandler } from '../processes/invoices/invoice-payments';
import { SendInvoiceHandler } from '../processes/invoices/send-invoice.handler';
import { GetHomeHandler, HomeReads } from '../processes/home/home-reads';
import { CustomerMailQuota } from '../processes/notices/customer-mail-quota';
import { MethodSelection, SelectMethodHandler } from '../processes/method-selection/method-selection';
import { AdvanceSandboxClockHandler, SandboxTime } from '../processes/expiry/sandbox-time';
import { GetPaymentTimelineHandler, PaymentTimelines } from '../processes/payment-timeline/payment-timelines';
import { LinkPayments, OpenPaymentLinkHandler } from '../processes/payment-links/link-payments';
import { GetPayLinkHandler, GetPayLinkTermsHandler, PayLinks } from '../processes/payment-links/pay-links';
import { RedeliverWebhookEventHandler } from '../processes/webhook-delivery/redeliver-webhook-event.handler';
import { DeliveryWrites } from '../processes/webhook-delivery/delivery-writes';
import { Dispatcher } from '../processes/webhook-delivery/dispatch/dispatcher';

type AppParts = Pick<
  ServiceParts,
  | 'core'
  | 'audit'
  | 'streams'
  | 'rebuilds'
  | 'networks'
  | 'rates'
  | 'payments'
  | 'checkout'
  | 'webhooks'
  | 'walletProofs'
  | 'notifying'
  | 'linkPayments'
  | 'invoicing'
  | 'countries'
> & {
  readonly sandbox: Sandbox;
  readonly requestLog: RequestLog;
  readonly built: BuiltPages;
  readonly lastMail: LastMail;
  readonly idempotency: IdempotencyRecords;
  readonly readiness: readonly ReadinessCheck[];
  readonly system: SystemReads;
};

@Module({})
export class AppModule {
  static with(parts: AppParts): DynamicModule {
    const { core, payments, checkout, webhooks, walletProofs, notifying, sandbox } = parts;
    const { clock, store, readModels, config, entropy, log } = core;
    const streams = StreamsModule.with(parts.streams);
    const system = SystemModule.with(parts.system, parts.rebuilds);
    const customers = new CustomerCountries(parts.countries);
    const providers: Provider[] = [
      { provide: PORTS.canonicalBlocks, useValue: payments.canonicalBlocks },
      { provide: RateBook, useValue: parts.rates },
      { provide: MethodSelection, useValue: payments.selection },
      { provide: VelocityCounts, useValue: payments.velocity },
      { provide: CustomerCountries, useValue: customers },
      ...administrationProviders(core),
      {
        provide: PaymentIntentReader,
        useValue: new PaymentIntentReader(readModels, store, payments.frontiers, config.checkoutUrl),
      },
      { provide: PaymentLinkReader, useValue: new PaymentLinkReader(readModels, customersUrlOf(config, 'pay')) },
      { provide: InvoiceReader, useValue: new InvoiceReader(readModels, customersUrlOf(config, 'invoices')) },
      { provide: WebhookPayments, useValue: webhooks.payments },
      {
        provide: WebhookEventReader,
        useValue: new WebhookEventReader(core.writes, readModels, webhooks.payments),
      },
      { provide: MESSAGE_SIGNATURES, useValue: walletProofs.signatures },
      { provide: VERIFICATION_ADDRESSES, useValue: walletProofs.addresses },
      ...peopleMailPorts(notifying),
      ...passkeyPorts(config),
      { provide: SIGN_UP, useValue: config.signUp },
      { provide: CHALLENGE_DOMAIN, useValue: new URL(config.publicUrl).host },
      { provide: BRAND_LOGOS, useValue: checkout.logos },
      { provide: RequestLog, useValue: parts.requestLog },
      { provide: AuditLog, useValue: parts.audit.log },
      { provide: ExportsUnderWay, useValue: new ExportsUnderWay() },
      { provide: READINESS_CHECKS, useValue: parts.readiness },
    ];
    return {
      module: AppModule,
      imports: [
        PortsModule.with(core, providers),
        CqrsModule.forRoot(),
        AccountsModule,
        AdministratorsModule,
        AdminsModule,
        AdministrationModule,
        ApiKeysModule,
        AuditModule,
        FeesModule,
        InvoicesModule,
        ExportsModule,
        BooksModule,
        ControlsModule,
        CoverageModule,
        KillSwitchesModule,
        KybModule,
        MerchantsModule,
        OutboxModule,
        PaymentIntentsModule,
        PaymentLinksModule,
        QuotesModule,
        RoutesModule,
        SandboxModule,
        SignInModule,
        streams,
        system,
        TransfersModule,
        UsersModule,
        WalletsModule,
        WebhooksModule.with(webhooks.addresses),
        WebModule.with({
          ...{ clock, entropy, log },
          built: parts.built,
          urls: config,
          forms: parts.idempotency,
          checkoutRoot: checkoutRootOf(config),
          dashboardRoot: dashboardRootOf(config),
          consoleRoot: consoleRootOf(config),
          modes: config.modes,
          modules: [AdministrationModule, AuditModule, streams, system],
          secretBox: core.secretBox,
          access: core.access,
          customers,
          lastMail: parts.lastMail,
          changes: { lastPosition: () => store.lastPosition(), heads: () => payments.frontiers.heads() },
        }),
      ],
      controllers: [HealthController],
      providers: [
        SelectMethodHandler,
        IssueInvoiceHandler,
        VoidInvoiceHandler,
        SendInvoiceHandler,
        { provide: CustomerMailQuota, useValue: notifying.mailQuota },
        GetInvoicePageHandler,
        GetInvoiceTermsHandler,
        {
          provide: CustomerInvoices,
          useValue: new CustomerInvoices(checkout.reads, readModels, customersUrlOf(config, 'invoices')),
        },
        { provide: InvoicePayments, useValue: parts.invoicing.payments },
        GetCheckoutPaymentHandler,
        GetCheckoutTermsHandler,
        GetPlayedPaymentHandler,
        GetCheckoutNamingHandler,
        { provide: CheckoutPayments, useValue: checkout.payments },
        GetPaymentTimelineHandler,
        {
          provide: PaymentTimelines,
          useValue: new PaymentTimelines({
            ...{ readModels, store, checkoutUrl: config.checkoutUrl },
            headNumber: (...asked) => payments.frontiers.headOf(...asked),
            documentsAfter: paymentDocumentsAfter,
          }),
        },
        GetHomeHandler,
        {
          provide: HomeReads,
          inject: [ApiKeyUses],
          useFactory: (uses: ApiKeyUses): HomeReads =>
            new HomeReads({ ...core, uses, coverage: payments.frontiers, networks: parts.networks }),
        },
        AdjustFeesHandler,
        InvoiceFeesHandler,
        PayFeeInvoiceHandler,
        { provide: FeeBilling, useValue: composeFees(core).billing },
        ...matchingProviders(core, payments.matching),
        AdvanceSandboxClockHandler,
        SendSandboxTransferHandler,
        { provide: SandboxTime, useValue: sandbox.time },
        {
          provide: SANDBOX_CUSTOMERS,
          inject: [CommandBus],
          useFactory: (commands: CommandBus): Promise<SandboxCustomers> => sandboxCustomers(sandbox, core, commands),
        },
        OpenPaymentLinkHandler,
        GetPayLinkHandler,
        GetPayLinkTermsHandler,
        { provide: PayLinks, useValue: new PayLinks(checkout.reads, customersUrlOf(config, 'pay')) },
        { provide: LinkPayments, useValue: parts.linkPayments },
        RedeliverWebhookEventHandler,
        { provide: DeliveryWrites, useValue: webhooks.deliveryWrites },
        { provide: Dispatcher, useValue: webhooks.dispatcher },
        {
          provide: KeyAuthentication,
          inject: [ApiKeyAuthenticator],
          useFactory: (keys: ApiKeyAuthenticator): KeyAuthentication => ({
            authenticate: (keyText, asksMethods) => keys.authenticate(keyText, clock.now(), asksMethods),
          }),
        },
        {
          provide: MfaVerification,
          inject: [MerchantMfa],
          useFactory: (mfa: MerchantMfa): MfaVerification => ({ verify: attempt => mfa.verify(attempt) }),
        },
      ],
    };
  }
}
