import { Module } from '@nestjs/common';
import { PORTS } from '../kernel/ports/injection';
import type { ReadModels } from '../kernel/ports/read-models';
import { WritePath } from '../kernel/write-path';
import { AcceptAdminInvitationHandler, InviteAdminHandler } from '../modules/admins/commands/invitation.handler';
import { UsersModule } from '../modules/users/users.module';
import { AdminOwners } from '../processes/administrators/admin-owners';
import { BootstrapAdminHandler, CreateAdminHandler } from '../processes/administrators/first-admin.handlers';
import {
  DisableAdminHandler,
  EnableAdminHandler,
  GiveAdminRoleHandler,
} from '../processes/administrators/manage-admins.handlers';

/** Commands on the operator's administrators, which are streams of several modules. */
@Module({
  imports: [UsersModule],
  providers: [
    CreateAdminHandler,
    BootstrapAdminHandler,
    InviteAdminHandler,
    AcceptAdminInvitationHandler,
    GiveAdminRoleHandler,
    DisableAdminHandler,
    EnableAdminHandler,
    {
      provide: AdminOwners,
      useFactory: (writePath: WritePath, readModels: ReadModels) => new AdminOwners(writePath, readModels),
      inject: [WritePath, PORTS.readModels],
    },
  ],
})
export class AdministratorsModule {}
