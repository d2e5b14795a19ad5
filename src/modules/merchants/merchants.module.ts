import { Module } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { ChangeSettingsHandler } from './commands/change-settings.command';
import { DisableMerchantHandler, EnableMerchantHandler } from './commands/disable-merchant.command';
import { RegisterMerchantHandler } from './commands/register-merchant.command';
import { Passwords } from './password';
import { StoredUsers } from './queries/stored-users';
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
      useFactory: (documents: Documents, readModels: ReadModels, secretBox: SecretBox, clock: Clock) =>
        TotpVerifier.open(documents, new StoredUsers(readModels), secretBox, clock),
      inject: [PORTS.documents, PORTS.readModels, PORTS.secretBox, PORTS.clock],
    },
  ],
  exports: [Passwords, TotpVerifier],
})
export class MerchantsModule {}
