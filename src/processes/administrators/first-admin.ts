import type { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import type { PlatformContext } from '../../kernel/command-context';
import { BootstrapAdmin } from '../../modules/admins/commands/manage-admins.command';
import { refuse } from '../../vocabulary/errors';
import type { AdminOwners } from './admin-owners';

/** Processes that start at once have one command, so one of them makes the owner. */
const COMMAND_ID = 'bootstrap_admin';

type FirstAdminParts = {
  /** The three variables of a start; null where they are not set. */
  readonly given: { readonly email: string; readonly password: string; readonly totpSeed: string } | null;
  readonly isProduction: boolean;
  readonly owners: Pick<AdminOwners, 'hasBegun'>;
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly clock: Pick<Clock, 'now'>;
};

/**
 * Makes the first owner where there is no administrator yet. Throws Refusal bootstrap_admin_credentials_required in
 * production without the three variables.
 */
export async function ensureFirstAdmin(parts: FirstAdminParts): Promise<void> {
  const { given, isProduction, owners, commands, clock } = parts;
  if (given === null && !isProduction) return;
  if (await owners.hasBegun()) return;
  if (given === null) {
    const message = 'Production needs BOOTSTRAP_ADMIN_EMAIL, _PASSWORD and _TOTP_SEED while there is no administrator.';
    throw refuse('bootstrap_admin_credentials_required', { message });
  }
  const { email, password, totpSeed } = given;
  await commands.execute(new BootstrapAdmin(email, password, totpSeed, contextAt(clock.now())));
}

function contextAt(now: number): PlatformContext<'platform'> {
  return {
    commandId: COMMAND_ID,
    universe: 'platform',
    merchantId: null,
    actor: { role: 'admin', type: 'system', id: 'start' },
    startedAt: now,
    now,
    requestId: null,
    correlationId: COMMAND_ID,
    causationId: null,
    ip: null,
  };
}
