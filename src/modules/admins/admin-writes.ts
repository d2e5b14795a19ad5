import type { PersonContext } from '../../kernel/command-context';
import { eventsOfCommand, type Loaded } from '../../kernel/loaded';
import type { Executed, WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { CredentialWrites, ReadPerson } from '../users/credential-writes';
import type { CredentialCommand, Credentials } from '../users/credentials';
import { admins, type AdminCommand } from './admin.decider';
import type { AdminEvent } from './admin.events';
import { adminIdOfEmail } from './admin-people';
import type { Admin } from './admin.state';

export type LoadedAdmin = Loaded<Admin, AdminEvent>;

/** Writes to the streams of administrators. */
export class AdminWrites implements CredentialWrites {
  constructor(private readonly writePath: WritePath) {}

  idOfEmail(email: string): string {
    return adminIdOfEmail(email);
  }

  load(adminId: string): Promise<LoadedAdmin> {
    return this.writePath.load(admins, 'platform', adminId);
  }

  async read(adminId: string): Promise<ReadPerson> {
    const known = await this.load(adminId);
    const { state } = known;
    return {
      active: state.status === 'active' ? { ...state, merchantId: null } : null,
      eventsOf: commandId => eventsOfCommand(known, commandId),
      change: async (command, context) => (await this.execute(adminId, command, context, known)).events,
    };
  }

  /** Throws the decision's refusals. */
  execute(
    adminId: string,
    command: AdminCommand,
    context: PersonContext,
    known?: LoadedAdmin,
  ): Promise<Executed<Admin, AdminEvent>> {
    return this.writePath.execute(admins, adminId, command, context, known);
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
}
