import type { PersonContext } from '../../kernel/command-context';
import type { DomainEvent } from '../../kernel/event';
import type { RealmName } from '../../vocabulary/realms';
import type { CredentialCommand, Credentials } from './credentials';

/** A person who signs in, with the means to do so. `merchantId` is null for the operator's people. */
type ActivePerson = Credentials & { readonly merchantId: string | null; readonly email: string };

/** A person as the stream was read once. */
export type ReadPerson = {
  /** Null for a person who is not active. */
  readonly active: ActivePerson | null;
  /** The events of a command that has run before; none where it has not. */
  eventsOf(commandId: string): readonly DomainEvent[];
  /** As CredentialWrites.change. The stream is read again only where another command has written to it meanwhile. */
  change(command: CredentialCommand, context: PersonContext): Promise<readonly DomainEvent[]>;
};

/** Reads and writes the streams of one realm's people. A person of another account is as good as none. */
export interface CredentialWrites {
  idOfEmail(email: string): string;
  read(userId: string): Promise<ReadPerson>;
  /** Answers the command's events. Throws Refusal resource_missing, or the decision's. */
  change(userId: string, command: CredentialCommand, context: PersonContext): Promise<readonly DomainEvent[]>;
  /**
   * The same for a command that follows from the person as read. A command that has run before does not call `find`
   * again.
   */
  changeFound(
    userId: string,
    find: (person: Credentials) => Promise<CredentialCommand>,
    context: PersonContext,
  ): Promise<void>;
}

/** The streams of the people of both realms. */
export class PeopleWrites {
  constructor(private readonly writes: Readonly<Record<RealmName, CredentialWrites>>) {}

  of(realm: RealmName): CredentialWrites {
    return this.writes[realm];
  }
}
