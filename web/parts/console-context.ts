import { adminPermits, type AdminPermission, type AdminRole } from '../../src/vocabulary/admin-roles';
import type { Way } from './signed-context';
import { createScope } from './page-scopes';

/** One way of the console's navigation. */
export type ConsoleEntry = Way & { readonly permission: AdminPermission };

/** The reader of a page of the console, as far as its parts ask. */
type ConsoleReader = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: AdminRole;
  readonly nowMs: number;
};

/** The facts that the parts of a console's page may need beside those of all pages of people who sign in. */
export type ConsoleFacts = {
  /** Null on the pages before signing in. */
  readonly reader: ConsoleReader | null;
  readonly nav: readonly ConsoleEntry[];
};

export const ConsoleContext = createScope<ConsoleFacts | null>(null);

export function useConsole(): ConsoleFacts {
  const facts = ConsoleContext.read();
  if (!facts) throw new Error('a part of the console stands outside of it');
  return facts;
}

/** The reader of a page that only signed-in administrators see. */
export function useAdministrator(): ConsoleReader {
  const { reader } = useConsole();
  if (!reader) throw new Error('a page for administrators has no reader');
  return reader;
}

/** Whether the reader's role has the permission, be it to propose alone. */
export function useAdminMay(): (permission: AdminPermission) => boolean {
  const { reader } = useConsole();
  return permission => reader !== null && adminPermits(reader.role, permission);
}
