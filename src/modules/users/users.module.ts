import { Module } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { MfaProofsController } from './api/mfa-proofs.controller';
import { AskToSignUpHandler } from './commands/ask-to-sign-up.handler';
import { EnrolTotpHandler, MakeRecoveryCodesHandler, OfferTotpHandler } from './commands/authenticator.handler';
import { AcceptInvitationHandler, InviteUserHandler, WithdrawInvitationHandler } from './commands/invitation.handler';
import { IssueMfaProofHandler } from './commands/issue-mfa-proof.command';
import { AskForResetHandler, ResetPasswordHandler } from './commands/reset-password.handler';
import { UseRecoveryCodeHandler } from './commands/use-recovery-code.handler';
import { InvitationQuota } from './invitation-quota';
import { MailLimits } from './mail-limits';
import { MailedTokens } from './mailed-tokens';
import { MerchantMfa } from './merchant-mfa';
import { MfaProofs } from './mfa-proofs';
import { Passwords } from './password';
import { FindInvitationHandler } from './queries/find-invitation.query';
import { GetTotpOfferHandler } from './queries/get-totp-offer.query';
import { GetUserEmailHandler, GetUserHandler } from './queries/get-user.query';
import { ListUsersHandler } from './queries/list-users.query';
import { StoredUsers } from './stored-users';
import { TotpOffers } from './totp-offers';
import { TotpVerifier } from './totp-verifier';
import { PeopleWrites } from './credential-writes';
import { UserWrites } from './user-writes';
import { AdminWrites } from '../admins/admin-writes';
import { BARRED_CODES_NOTICE, type BarredCodesNotice } from './wrong-codes';

@Module({
  controllers: [MfaProofsController],
  providers: [
    IssueMfaProofHandler,
    AskToSignUpHandler,
    AskForResetHandler,
    ResetPasswordHandler,
    InviteUserHandler,
    WithdrawInvitationHandler,
    AcceptInvitationHandler,
    UseRecoveryCodeHandler,
    OfferTotpHandler,
    GetTotpOfferHandler,
    EnrolTotpHandler,
    MakeRecoveryCodesHandler,
    ListUsersHandler,
    GetUserHandler,
    GetUserEmailHandler,
    FindInvitationHandler,
    { provide: UserWrites, useFactory: (writePath: WritePath) => new UserWrites(writePath), inject: [WritePath] },
    { provide: AdminWrites, useFactory: (writePath: WritePath) => new AdminWrites(writePath), inject: [WritePath] },
    {
      provide: PeopleWrites,
      useFactory: (merchant: UserWrites, admin: AdminWrites) => new PeopleWrites({ merchant, admin }),
      inject: [UserWrites, AdminWrites],
    },
    {
      provide: MailedTokens,
      useFactory: (...ports: Parameters<typeof MailedTokens.open>) => MailedTokens.open(...ports),
      inject: [PORTS.documents, PORTS.secretBox, PORTS.clock],
    },
    {
      provide: MailLimits,
      useFactory: (...ports: Parameters<typeof MailLimits.open>) => MailLimits.open(...ports),
      inject: [PORTS.documents, PORTS.secretBox, PORTS.clock],
    },
    {
      provide: InvitationQuota,
      useFactory: (...ports: Parameters<typeof InvitationQuota.open>) => InvitationQuota.open(...ports),
      inject: [PORTS.documents, PORTS.clock],
    },
    {
      provide: TotpOffers,
      useFactory: (...ports: Parameters<typeof TotpOffers.open>) => TotpOffers.open(...ports),
      inject: [PORTS.documents, PORTS.secretBox, PORTS.entropy, PORTS.clock],
    },
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
      useFactory: (documents: Documents, readModels: ReadModels, secretBox: SecretBox, clock: Clock) =>
        MfaProofs.open(documents, new StoredUsers(readModels), secretBox, clock),
      inject: [PORTS.documents, PORTS.readModels, PORTS.secretBox, PORTS.clock],
    },
    {
      provide: MerchantMfa,
      useFactory: (...parts: ConstructorParameters<typeof MerchantMfa>) => new MerchantMfa(...parts),
      inject: [TotpVerifier, MfaProofs],
    },
  ],
  exports: [Passwords, TotpVerifier, MerchantMfa, MailedTokens, MailLimits, UserWrites, AdminWrites, PeopleWrites],
})
export class UsersModule {}
