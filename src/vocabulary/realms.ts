import { isId } from './ids';

/** The two kinds of people who sign in: those of merchants, and the operator's administrators. */
export type RealmName = 'merchant' | 'admin';

/** The id of a person tells the realm. */
export function realmOf(personId: string): RealmName {
  return isId('adm', personId) ? 'admin' : 'merchant';
}
