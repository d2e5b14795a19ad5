import type { PersonContext } from '../../kernel/command-context';
import type { Loaded } from '../../kernel/loaded';
import type { Executed, WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { ActivePerson, CredentialWrites } from '../users/credential-writes';
import type { CredentialCommand, Credentials } from '../users/credentials';
import { admins, type AdminCommand } from './admin.decider';
import type { AdminEvent } from './admin.events';
import { adminIdOfEmail } from './admin-people';
import type { Admin } from './admin.state';

/** Writes to the streams of administrators. */
export class AdminWrites implements CredentialWrites {
  constructor(private readonly writePath: WritePath) {}

  idOfEmail(email: string): string {
    return adminIdOfEmail(email);
  }

  async active(adminId: string): Promise<ActivePerson | null> {
    const { state } = await this.load(adminId);
    return state.status === 'active' ? { ...state, merchantId: null } : null;
  }

  load(adminId: string): Promise<Loaded<Admin, AdminEvent>> {
    return this.writePath.load(admins, 'platform', adminId);
  }

  /** Throws the decision's refusals. */
  execute(adminId: string, command: AdminCommand, context: PersonContext): Promise<Executed<Admin, AdminEvent>> {
    return this.writePath.execute(admins, adminId, command, context);
  }

  async change(adminId: string, command: CredentialCommand, context: PersonContext) {
    return (await this.execute(adminId, command, context)).events;
  }

  async changeFound(
    adminId: string,
    find: (person: Credentials) => Promise<CredentialCommand>,
    context: PersonContext,
  ): Promise<void> {
    await this.writePath.executePlan(
      admins,
      adminId,
      (_, command: CredentialCommand) => ({ command, context }),
      context,
      {
        readsFirst: true,
        find: ({ state }) => {
          if (state.status !== 'active') throw refuse('invalid_state_transition');
          return find(state);
        },
      },
    );
  }

  async eventsOf(adminId: string, commandId: string): Promise<readonly AdminEvent[]> {
    const { history } = await this.load(adminId);
    return history.filter(({ metadata }) => metadata.command_id === commandId);
  }
}
