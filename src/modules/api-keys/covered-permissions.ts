import type { Permission } from '../../vocabulary/roles';
import { grants, SCOPES, type Scope } from '../../vocabulary/scopes';

/** Permissions of roles that a scope covers with others. A key has those of the person who made it. */
export const COVERED_PERMISSIONS = [
  'payment.cancel',
  'payment.decide',
  'transfer.attribute',
  'transfer.set_aside',
  'link.manage',
  'export.create',
] as const satisfies readonly Permission[];

const COVERED: Partial<Readonly<Record<Scope, readonly (typeof COVERED_PERMISSIONS)[number][]>>> = {
  'payment:create': ['payment.cancel', 'payment.decide', 'transfer.attribute', 'transfer.set_aside', 'link.manage'],
  'payment:read': ['export.create'],
  'invoice:read': ['export.create'],
  'fee:read': ['export.create'],
};

/** The permissions that the scopes cover with others, by name or by implication, each once. */
export function coveredPermissions(scopes: readonly Scope[]): readonly Permission[] {
  const granted = SCOPES.filter(scope => grants(scopes, scope));
  return [...new Set(granted.flatMap(scope => COVERED[scope] ?? []))];
}
