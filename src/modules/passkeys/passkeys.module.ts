import { Module } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WebAuthn } from '../../kernel/ports/web-authn';
import { OfferPasskeyRegistrationHandler, OfferPasskeySignInHandler } from './commands/offer-passkey.command';
import { PasskeyCeremonies } from './passkey-ceremonies';
import { PasskeyChallenges } from './passkey-challenges';
import { StoredPasskeyUsers } from './passkey-users';
import { PasskeyUses } from './passkey-uses';
import { ListPasskeysHandler } from './queries/list-passkeys.query';
import { RELYING_PARTIES, WEB_AUTHN, type RelyingParties } from './relying-party';

@Module({
  providers: [
    OfferPasskeyRegistrationHandler,
    OfferPasskeySignInHandler,
    ListPasskeysHandler,
    {
      provide: StoredPasskeyUsers,
      useFactory: (readModels: ReadModels) => new StoredPasskeyUsers(readModels),
      inject: [PORTS.readModels],
    },
    {
      provide: PasskeyUses,
      useFactory: (documents: Documents, clock: Clock) => PasskeyUses.open(documents, clock),
      inject: [PORTS.documents, PORTS.clock],
    },
    {
      provide: PasskeyCeremonies,
      useFactory: async (
        relyingParties: RelyingParties,
        webAuthn: WebAuthn,
        documents: Documents,
        clock: Clock,
        entropy: Entropy,
      ) => new PasskeyCeremonies(relyingParties, await PasskeyChallenges.open(documents, clock, entropy), webAuthn),
      inject: [RELYING_PARTIES, WEB_AUTHN, PORTS.documents, PORTS.clock, PORTS.entropy],
    },
  ],
  exports: [PasskeyCeremonies, PasskeyUses, StoredPasskeyUsers],
})
export class PasskeysModule {}
