import { permits, type Permission, type UserRole } from '../../vocabulary/roles';
import { SCOPES, type Scope } from '../../vocabulary/scopes';
import type { Grantor } from './api-key.decider';
import { coveredPermissions } from './covered-permissions';

/** The permission by which a person does what a key does by the scope. */
const PERMISSIONS: Readonly<Record<Scope, Permission>> = {
  'payment:create': 'payment.create',
  'payment:read': 'payment.read',
  'invoice:create': 'invoice.manage',
  'invoice:read': 'invoice.read',
  'key:manage': 'key.manage',
  'key:read': 'key.read',
  'webhook:manage': 'webhook.manage',
  'webhook:read': 'webhook.read',
  'fee:read': 'fee.read',
  'settings:manage': 'settings.manage',
  'settings:read': 'settings.read',
  'wallet:manage': 'wallet.manage',
  'wallet:read': 'wallet.read',
  'route:manage': 'route.manage',
  'route:read': 'route.read',
  'webhook_url:manage': 'webhook.manage',
  'request_log:read': 'request_log.read',
};

/** The power that a person makes and ends keys by: a key does nothing over the API that its maker's role may not do. */
export function roleGrants(role: UserRole): Grantor {
  const scopes = SCOPES.filter(scope => permits(role, PERMISSIONS[scope]));
  const withheld = coveredPermissions(scopes).filter(permission => !permits(role, permission));
  return { scopes, endsAt: null, withheld };
}
