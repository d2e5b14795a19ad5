import type { PlatformContext } from '../../src/kernel/command-context';
import { SIGN_IN_ACTORS } from '../../src/modules/sessions/session-context';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import type { RealmName } from '../../src/vocabulary/realms';
import type { FormCommand } from './form-work';

/** The facts for a command of somebody who is not signed in: the service acts, for nobody's account. */
export function strangerContext(
  request: ApiRequest,
  command: FormCommand,
  realm: RealmName,
): PlatformContext<'platform'> {
  return {
    ...command,
    universe: 'platform',
    merchantId: null,
    actor: SIGN_IN_ACTORS[realm],
    now: command.startedAt,
    requestId: request.id,
    correlationId: request.id,
    causationId: null,
    ip: clientIp(request),
  };
}
