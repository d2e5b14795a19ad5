import type { PlatformContext } from '../../kernel/command-context';
import type { AdminActor } from '../../vocabulary/admin-roles';

/**
 * The administrator of a request, with the context of the request's commands. `Open` is the session as the request has
 * read it, for commands about the session itself.
 */
export type AdmittedAdmin<Open = unknown> = {
  readonly admin: AdminActor;
  readonly context: PlatformContext<'platform'>;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  readonly stage: string;
  readonly expiresAt: string;
  readonly open: Open;
};
