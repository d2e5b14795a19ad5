import { isId } from './ids';

/** The two kinds of people who sign in: those of merchants, and the operator's administrators. */
export const REALMS = ['merchant', 'admin'] as const;
export type RealmName = (typeof REALMS)[number];

/** The id of a person tells the realm. */
export function realmOf(personId: string): RealmName {
  return isId('adm', personId) ? 'admin' : 'merchant';
}
