import { Module } from '@nestjs/common';
import { PORTS } from '../kernel/ports/injection';
import type { ReadModels } from '../kernel/ports/read-models';
import { WritePath } from '../kernel/write-path';
import { UsersModule } from '../modules/users/users.module';
import { ChangeRoleHandler, DisableUserHandler, EnableUserHandler } from '../processes/accounts/manage-users.handler';
import { OpenAccountHandler } from '../processes/accounts/open-account.handler';
import { OwnerRelease } from '../processes/accounts/owner-release';
import { RegisterMerchantHandler } from '../processes/accounts/register-merchant';
import { ResetAuthenticatorHandler } from '../processes/accounts/reset-authenticator.handler';

/** Commands on accounts and their people, which are streams of several modules. */
@Module({
  imports: [UsersModule],
  providers: [
    RegisterMerchantHandler,
    OpenAccountHandler,
    ChangeRoleHandler,
    DisableUserHandler,
    EnableUserHandler,
    ResetAuthenticatorHandler,
    {
      provide: OwnerRelease,
      useFactory: (writePath: WritePath, readModels: ReadModels) => new OwnerRelease(writePath, readModels),
      inject: [WritePath, PORTS.readModels],
    },
  ],
})
export class AccountsModule {}
