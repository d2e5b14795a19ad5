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
import { AdminPeople } from '../admins/admin-people';
import { UsersModule } from '../users/users.module';
import type { RealmName } from '../../vocabulary/realms';
import {
  AuthenticateSessionHandler,
  EndOwnSessionsHandler,
  EndAllSessionsHandler,
  FollowStepUpHandler,
  StepUpHandler,
} from './commands/session.command';
import { SetSessionPolicyHandler } from './commands/set-session-policy.command';
import { MerchantPeople } from './merchant-people';
import type { People, Person } from './person';
import { ListSessionsHandler } from './queries/list-sessions.query';
import { REFUSED_SIGN_INS_NOTICE, RefusedSignIns, type RefusedSignInsNotice } from './refused-sign-ins';
import { Realms, type Realm } from './realms';
import { SessionAuthentication } from './session-authentication';
import { SessionGranting } from './session-granting';
import { SessionSeats } from './session-seats';
import { SessionSecrets } from './session-secret';
import { SignInFailures } from './sign-in-failures';
import { SignInPlaces } from './sign-in-places';
import { StoredSessions } from './stored-sessions';

async function realms(
  documents: Documents,
  readModels: ReadModels,
  access: AccessReader,
  writePath: WritePath,
  clock: Clock,
  entropy: Entropy,
): Promise<Realms> {
  const places = await SignInPlaces.open(documents, clock);
  const open = async <P extends Person, InSession extends P>(
    name: RealmName,
    people: People<P, InSession>,
  ): Promise<Realm<P, InSession>> => {
    const sessions = await StoredSessions.open(documents, clock, name);
    const seats = await SessionSeats.open(documents, name);
    const authentication = new SessionAuthentication(sessions, seats, people, clock);
    const granting = new SessionGranting({ realm: name, sessions, seats, places, writePath, clock, entropy });
    return { name, people, seats, authentication, granting };
  };
  return new Realms(
    await open('merchant', new MerchantPeople(readModels, access)),
    await open('admin', new AdminPeople(readModels, access)),
  );
}

@Module({
  imports: [UsersModule],
  providers: [
    AuthenticateSessionHandler,
    StepUpHandler,
    FollowStepUpHandler,
    EndOwnSessionsHandler,
    EndAllSessionsHandler,
    SetSessionPolicyHandler,
    ListSessionsHandler,
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
      provide: Realms,
      useFactory: realms,
      inject: [PORTS.documents, PORTS.readModels, AccessReader, WritePath, PORTS.clock, PORTS.entropy],
    },
    {
      provide: RefusedSignIns,
      useFactory: (documents: Documents, writePath: WritePath, notice: RefusedSignInsNotice, clock: Clock, log: Log) =>
        RefusedSignIns.open(documents, writePath, notice, clock, log),
      inject: [PORTS.documents, WritePath, REFUSED_SIGN_INS_NOTICE, PORTS.clock, PORTS.log],
    },
  ],
  exports: [SignInFailures, Realms, RefusedSignIns],
})
export class SessionsModule {}
