import { Module } from '@nestjs/common';
import type { Entropy } from '../../kernel/entropy';
import { PORTS } from '../../kernel/ports/injection';
import { ChangeSettingsHandler } from './commands/change-settings.command';
import { DisableMerchantHandler, EnableMerchantHandler } from './commands/disable-merchant.command';
import { RegisterMerchantHandler } from './commands/register-merchant.command';
import { Passwords } from './password';
import { TotpVerifier } from './totp-verifier';

@Module({
  providers: [
    RegisterMerchantHandler,
    ChangeSettingsHandler,
    DisableMerchantHandler,
    EnableMerchantHandler,
    { provide: Passwords, useFactory: (entropy: Entropy) => new Passwords(entropy), inject: [PORTS.entropy] },
    {
      provide: TotpVerifier,
      useFactory: (...ports: Parameters<typeof TotpVerifier.open>) => TotpVerifier.open(...ports),
      inject: [PORTS.documents, PORTS.readModels, PORTS.secretBox, PORTS.clock],
    },
  ],
  exports: [Passwords, TotpVerifier],
})
export class MerchantsModule {}
