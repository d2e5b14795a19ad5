import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { SessionsModule } from '../sessions/sessions.module';
import { AdminAccountController } from './api/admin-account.controller';
import { AdminSessionController } from './api/admin-session.controller';
import { AdminSessions } from './api/admin-sessions';
import { SessionAdminAdmission, sessionAdminAdmission } from './api/session-admin-admission';
import { AuthenticateAdminHandler } from './commands/authenticate-admin.command';
import { NameAdminsHandler } from './api/name-admins.query';

/** The routes below `/admin` by which administrators sign in. */
@Module({
  imports: [SessionsModule],
  controllers: [AdminSessionController, AdminAccountController],
  providers: [
    AuthenticateAdminHandler,
    NameAdminsHandler,
    {
      provide: SessionAdminAdmission,
      useFactory: (commands: CommandBus, secretBox: SecretBox, clock: Clock, entropy: Entropy) =>
        sessionAdminAdmission(commands, secretBox, clock, entropy),
      inject: [CommandBus, PORTS.secretBox, PORTS.clock, PORTS.entropy],
    },
    {
      provide: AdminSessions,
      useFactory: (admission: SessionAdminAdmission) => new AdminSessions(admission),
      inject: [SessionAdminAdmission],
    },
  ],
  exports: [SessionAdminAdmission],
})
export class AdminsModule {}
