import { Module } from '@nestjs/common';
import { AccessReader } from '../../kernel/access-reader';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { UsersModule } from '../users/users.module';
import {
  AuthenticateReplacedHandler,
  AuthenticateSessionHandler,
  EndSessionsHandler,
  FollowStepUpHandler,
  StepUpHandler,
} from './commands/session.command';
import { SetSessionPolicyHandler } from './commands/set-session-policy.command';
import { StoredPeople } from './person';
import { GetSessionPolicyHandler } from './queries/get-session-policy.query';
import { ListSessionsHandler } from './queries/list-sessions.query';
import { REFUSED_SIGN_INS_NOTICE, RefusedSignIns, type RefusedSignInsNotice } from './refused-sign-ins';
import { SessionAuthentication } from './session-authentication';
import { SessionGranting } from './session-granting';
import { SessionSeats } from './session-seats';
import { SessionSecrets } from './session-secret';
import { SignInFailures } from './sign-in-failures';
import { SignInPlaces } from './sign-in-places';
import { StoredSessions } from './stored-sessions';

@Module({
  imports: [UsersModule],
  providers: [
    AuthenticateSessionHandler,
    AuthenticateReplacedHandler,
    StepUpHandler,
    FollowStepUpHandler,
    EndSessionsHandler,
    SetSessionPolicyHandler,
    ListSessionsHandler,
    GetSessionPolicyHandler,
    {
      provide: StoredSessions,
      useFactory: (documents: Documents, clock: Clock) => StoredSessions.open(documents, clock),
      inject: [PORTS.documents, PORTS.clock],
    },
    {
      provide: SessionSeats,
      useFactory: (documents: Documents) => SessionSeats.open(documents),
      inject: [PORTS.documents],
    },
    {
      provide: SessionSecrets,
      useFactory: (secretBox: SecretBox, entropy: Entropy) => new SessionSecrets(secretBox, entropy),
      inject: [PORTS.secretBox, PORTS.entropy],
    },
    {
      provide: SignInFailures,
      useFactory: (documents: Documents, clock: Clock) => SignInFailures.open(documents, clock),
      inject: [PORTS.documents, PORTS.clock],
    },
    {
      provide: StoredPeople,
      useFactory: (readModels: ReadModels) => new StoredPeople(readModels),
      inject: [PORTS.readModels],
    },
    {
      provide: SessionAuthentication,
      useFactory: (...parts: ConstructorParameters<typeof SessionAuthentication>) =>
        new SessionAuthentication(...parts),
      inject: [StoredSessions, SessionSeats, AccessReader, PORTS.clock],
    },
    {
      provide: SessionGranting,
      useFactory: async (
        sessions: StoredSessions,
        seats: SessionSeats,
        documents: Documents,
        writePath: WritePath,
        clock: Clock,
        entropy: Entropy,
      ) => {
        const places = await SignInPlaces.open(documents, clock);
        return new SessionGranting({ sessions, seats, places, writePath, clock, entropy });
      },
      inject: [StoredSessions, SessionSeats, PORTS.documents, WritePath, PORTS.clock, PORTS.entropy],
    },
    {
      provide: RefusedSignIns,
      useFactory: (documents: Documents, writePath: WritePath, notice: RefusedSignInsNotice, clock: Clock, log: Log) =>
        RefusedSignIns.open(documents, writePath, notice, clock, log),
      inject: [PORTS.documents, WritePath, REFUSED_SIGN_INS_NOTICE, PORTS.clock, PORTS.log],
    },
  ],
  exports: [SessionSeats, SignInFailures, StoredPeople, SessionAuthentication, SessionGranting, RefusedSignIns],
})
export class SessionsModule {}
