import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus } from '@nestjs/cqrs';
import type { PlatformContext } from '../kernel/command-context';
import { BootstrapAdmin } from '../modules/admins/commands/manage-admins.command';
import { AdminOwners } from '../processes/administrators/admin-owners';
import { refuse } from '../vocabulary/errors';
import type { Core } from './core';

/** Processes that start at once have one command, so one of them makes the owner. */
const COMMAND_ID = 'bootstrap_admin';

/**
 * Makes the first owner where there is no administrator yet. Throws Refusal bootstrap_admin_credentials_required in
 * production without the three variables.
 */
export async function ensureFirstAdmin(
  { config, clock }: Pick<Core, 'config' | 'clock'>,
  app: Pick<NestFastifyApplication, 'get'>,
): Promise<void> {
  const { bootstrapAdmin, environment } = config;
  if (bootstrapAdmin === null && environment !== 'production') return;
  if (await app.get(AdminOwners, { strict: false }).hasBegun()) return;
  if (bootstrapAdmin === null) {
    const message = 'Production needs BOOTSTRAP_ADMIN_EMAIL, _PASSWORD and _TOTP_SEED while there is no administrator.';
    throw refuse('bootstrap_admin_credentials_required', { message });
  }
  const { email, password, totpSeed } = bootstrapAdmin;
  const now = clock.now();
  const context: PlatformContext<'platform'> = {
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
  await app.get(CommandBus).execute(new BootstrapAdmin(email, password, totpSeed, context));
}
