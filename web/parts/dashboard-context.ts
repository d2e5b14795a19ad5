import type { PauseReason } from '../../src/modules/merchants/merchants.read-model';
import type { Mode } from '../../src/vocabulary/modes';
import { permits, type Permission, type UserRole } from '../../src/vocabulary/roles';
import { createScope } from './page-scopes';
import type { Way } from './signed-context';

/** One way of the navigation, below the mode's home. */
export type NavEntry = Way & {
  readonly permission: Permission | null;
  /** Live mode has no such page. */
  readonly testOnly?: true;
};

/** The account of a reader, as far as it holds the reader up. */
export type AccountState = {
  readonly isClosed: boolean;
  /** The reason why the page's mode takes no new payments; null where it takes them. */
  readonly pause: PauseReason | null;
};

/** The reader of a page, as far as its parts ask. */
type DashboardReader = {
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
  readonly merchantName: string;
  readonly mode: Mode;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly account: AccountState;
};

/** The modes that the service serves; pages above the modes stand in the first one. */
export type Modes = readonly [Mode, ...Mode[]];

/** The facts that the parts of a dashboard's page may need beside those of all pages of people who sign in. */
export type DashboardFacts = {
  /** Null on the pages before signing in. */
  readonly reader: DashboardReader | null;
  /** The mode of the page's path; null above the modes. */
  readonly mode: Mode | null;
  readonly modes: Modes;
  readonly nav: readonly NavEntry[];
};

export const DashboardContext = createScope<DashboardFacts | null>(null);

export function useDashboard(): DashboardFacts {
  const facts = DashboardContext.read();
  if (!facts) throw new Error('a part of the dashboard stands outside of it');
  return facts;
}

/** The reader of a page that only signed-in people see. */
export function useReader(): DashboardReader {
  const { reader } = useDashboard();
  if (!reader) throw new Error('a page for signed-in people has no reader');
  return reader;
}

/** Whether the reader's role has the permission: a page offers nothing that would be refused. */
export function useMay(permission: Permission): boolean {
  const { reader } = useDashboard();
  return reader !== null && permits(reader.role, permission);
}
