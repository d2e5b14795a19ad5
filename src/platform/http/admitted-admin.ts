import type { PlatformContext } from '../../kernel/command-context';
import type { AdminActor } from '../../vocabulary/admin-roles';

/** The administrator of a request, with the context of the request's commands. */
export type AdmittedAdmin = {
  readonly by: AdminActor;
  readonly context: PlatformContext<'platform'>;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  readonly stage: string;
  readonly expiresAt: string;
  /** The text of the session's cookie, which changes with each step up. */
  readonly secret: string;
};
