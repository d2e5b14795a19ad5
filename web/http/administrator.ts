import type { PlatformContext } from '../../src/kernel/command-context';
import type { AdminActor, AdminRole } from '../../src/vocabulary/admin-roles';
import type { SignedInPerson } from './person';

/** The administrator of a request. */
export type Administrator = SignedInPerson<PlatformContext<'platform'>> & {
  readonly role: AdminRole;
  readonly admin: AdminActor;
};
