import type { RealmName } from '../../vocabulary/realms';
import type { AdminPerson } from '../admins/admin-people';
import type { MerchantPerson, MerchantSessionPerson } from './merchant-people';
import type { People, Person } from './person';
import type { SessionAuthentication } from './session-authentication';
import type { SessionGranting } from './session-granting';
import type { SessionSeats } from './session-seats';

/** The people who sign in to one side of the service, with their sessions. */
export type Realm<P extends Person = Person, InSession extends P = P> = {
  readonly name: RealmName;
  readonly people: People<P>;
  readonly seats: SessionSeats;
  readonly authentication: SessionAuthentication<InSession>;
  readonly granting: SessionGranting;
};

/** Both realms, which share every rule, and no session, seat or stream. */
export class Realms {
  constructor(
    readonly merchant: Realm<MerchantPerson, MerchantSessionPerson>,
    readonly admin: Realm<AdminPerson>,
  ) {}

  of(name: RealmName): Realm {
    return name === 'admin' ? this.admin : this.merchant;
  }
}
