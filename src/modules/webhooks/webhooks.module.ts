import { Module, type DynamicModule } from '@nestjs/common';
import { PORTS } from '../../kernel/ports/injection';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller';
import { WebhookEventsController } from './api/webhook-events.controller';
import { ChangeWebhookEndpointHandler } from './commands/change-webhook-endpoint.command';
import { CreateWebhookEndpointHandler } from './commands/create-webhook-endpoint.command';
import { RollSigningSecretHandler } from './commands/roll-signing-secret.command';
import { SigningSecrets } from './signing-secrets';
import { ADDRESS_RULES, type AddressRules } from './webhook-url';

/** The composition root provides WebhookPayments and WebhookEventReader. */
@Module({})
export class WebhooksModule {
  static with(addresses: AddressRules): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [WebhookEndpointsController, WebhookEventsController],
      providers: [
        CreateWebhookEndpointHandler,
        ChangeWebhookEndpointHandler,
        RollSigningSecretHandler,
        { provide: ADDRESS_RULES, useValue: addresses },
        {
          provide: SigningSecrets,
          useFactory: (...ports: ConstructorParameters<typeof SigningSecrets>) => new SigningSecrets(...ports),
          inject: [PORTS.entropy, PORTS.secretBox],
        },
      ],
    };
  }
}
