import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Core } from './core';
import { PORTS } from './kernel/ports/injection';
import { WritePath } from './kernel/write-path';
import { ApiKeyAuthenticator } from './modules/api-keys/api-key-authenticator';
import { ApiKeysModule } from './modules/api-keys/api-keys.module';
import { MerchantMfa } from './modules/merchants/merchant-mfa';
import { MerchantsModule } from './modules/merchants/merchants.module';
import { PaymentIntentReader } from './modules/payment-intents/api/payment-intent.reader';
import { PaymentIntentsModule } from './modules/payment-intents/payment-intents.module';
import { QuotesModule } from './modules/quotes/quotes.module';
import { RateBook } from './modules/quotes/rate-book';
import { RoutesModule } from './modules/routes/routes.module';
import { CHALLENGE_DOMAIN } from './modules/wallets/commands/issue-wallet-challenge.command';
import { MESSAGE_SIGNATURES } from './modules/wallets/message-signatures';
import { VERIFICATION_ADDRESSES } from './modules/wallets/verification-method';
import { WalletsModule } from './modules/wallets/wallets.module';
import { PAYMENT_SNAPSHOT } from './modules/webhooks/payment-snapshot';
import { WebhooksModule } from './modules/webhooks/webhooks.module';
import type { Payments } from './payments';
import type { WalletProofs } from './wallet-proofs';
import type { Webhooks } from './webhooks';
import { KeyAuthentication, MfaVerification } from './platform/http/authentication';
import { HealthController, READINESS_CHECKS, type ReadinessCheck } from './platform/http/health.controller';
import { LoggedRequestController } from './platform/http/logged-request.controller';
import { RequestLog } from './platform/request-log/request-log';
import { MethodSelection } from './processes/method-selection/method-selection';
import { SelectMethodHandler } from './processes/method-selection/select-method.handler';
import { RedeliverWebhookEventHandler } from './processes/webhook-delivery/redeliver-webhook-event.handler';
import { WebhookDelivery } from './processes/webhook-delivery/webhook-delivery';

export type AppParts = {
  readonly core: Core;
  readonly rates: RateBook;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly walletProofs: WalletProofs;
  readonly requestLog: RequestLog;
  readonly readiness: readonly ReadinessCheck[];
};

/** What every module may ask for. */
@Global()
@Module({})
class PortsModule {
  static with(providers: Provider[]): DynamicModule {
    return { module: PortsModule, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static with({ core, rates, payments, webhooks, walletProofs, requestLog, readiness }: AppParts): DynamicModule {
    const { clock, entropy, store, documents, readModels, secretBox, log, writes, config } = core;
    const ports = { clock, entropy, eventStore: store, documents, readModels, secretBox, log };
    const headNumber: ConstructorParameters<typeof PaymentIntentReader>[2] = async (mode, network) =>
      (await payments.coverageOf(mode, network))?.head_number ?? null;
    const providers: Provider[] = [
      ...Object.entries(ports).map(([name, useValue]) => ({ provide: PORTS[name as keyof typeof ports], useValue })),
      { provide: WritePath, useValue: writes },
      { provide: RateBook, useValue: rates },
      { provide: MethodSelection, useValue: payments.selection },
      {
        provide: PaymentIntentReader,
        useValue: new PaymentIntentReader(readModels, store, headNumber, config.checkoutUrl),
      },
      { provide: PAYMENT_SNAPSHOT, useValue: webhooks.snapshot },
      { provide: MESSAGE_SIGNATURES, useValue: walletProofs.signatures },
      { provide: VERIFICATION_ADDRESSES, useValue: walletProofs.addresses },
      { provide: CHALLENGE_DOMAIN, useValue: new URL(config.publicUrl).host },
      { provide: RequestLog, useValue: requestLog },
      { provide: READINESS_CHECKS, useValue: readiness },
    ];
    return {
      module: AppModule,
      imports: [
        PortsModule.with(providers),
        CqrsModule.forRoot(),
        ApiKeysModule,
        MerchantsModule,
        PaymentIntentsModule,
        QuotesModule,
        RoutesModule,
        WalletsModule,
        WebhooksModule.with(webhooks.addresses),
      ],
      controllers: [HealthController, LoggedRequestController],
      providers: [
        SelectMethodHandler,
        RedeliverWebhookEventHandler,
        { provide: WebhookDelivery, useValue: webhooks.delivery },
        {
          provide: KeyAuthentication,
          inject: [ApiKeyAuthenticator],
          useFactory: (keys: ApiKeyAuthenticator): KeyAuthentication => ({
            authenticate: keyText => keys.authenticate(keyText, clock.now()),
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
