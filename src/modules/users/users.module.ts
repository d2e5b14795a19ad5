import { Module } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { MfaProofsController } from './api/mfa-proofs.controller';
import { IssueMfaProofHandler } from './commands/issue-mfa-proof.command';
import { MerchantMfa } from './merchant-mfa';
import { MfaProofs } from './mfa-proofs';
import { Passwords } from './password';
import { StoredUsers } from './stored-users';
import { TotpVerifier } from './totp-verifier';
import { BARRED_CODES_NOTICE, type BarredCodesNotice } from './wrong-codes';

@Module({
  controllers: [MfaProofsController],
  providers: [
    IssueMfaProofHandler,
    { provide: Passwords, useFactory: (entropy: Entropy) => new Passwords(entropy), inject: [PORTS.entropy] },
    {
      provide: TotpVerifier,
      useFactory: (
        documents: Documents,
        readModels: ReadModels,
        secretBox: SecretBox,
        clock: Clock,
        notice: BarredCodesNotice,
      ) => TotpVerifier.open(documents, new StoredUsers(readModels), secretBox, clock, notice),
      inject: [PORTS.documents, PORTS.readModels, PORTS.secretBox, PORTS.clock, BARRED_CODES_NOTICE],
    },
    {
      provide: MfaProofs,
      useFactory: (...ports: Parameters<typeof MfaProofs.open>) => MfaProofs.open(...ports),
      inject: [PORTS.documents, PORTS.secretBox, PORTS.clock],
    },
    {
      provide: MerchantMfa,
      useFactory: (...parts: ConstructorParameters<typeof MerchantMfa>) => new MerchantMfa(...parts),
      inject: [TotpVerifier, MfaProofs],
    },
  ],
  exports: [Passwords, TotpVerifier, MerchantMfa],
})
export class UsersModule {}
