/** The roles of people who sign in for a merchant. */
export const USER_ROLES = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export function isUserRole(text: string): text is UserRole {
  return (USER_ROLES as readonly string[]).includes(text);
}

/** Every role sees these. */
const READS = [
  'payment.read', 'transfer.read', 'link.read', 'invoice.read', 'fee.read', 'books.read', 'wallet.read', 'route.read',
  'key.read', 'webhook.read', 'settings.read', 'user.read',
] as const; // prettier-ignore

/** The steps of a person that change something, or show what not everybody may see. */
const ACTS = {
  'payment.create': ['developer', 'finance'],
  'payment.cancel': ['support', 'finance'],
  'payment.decide': ['finance'],
  'transfer.attribute': ['support', 'finance'],
  'transfer.set_aside': ['support', 'finance'],
  'link.manage': ['finance'],
  'invoice.manage': ['finance'],
  'export.create': ['finance'],
  'key.manage': ['developer'],
  'webhook.manage': ['developer'],
  'request_log.read': ['developer'],
  'sandbox.use': ['developer'],
  'wallet.manage': [],
  'route.manage': [],
  'settings.manage': [],
  'user.manage': [],
  'session_policy.manage': [],
  'outbox.read': [],
  'kyb.manage': [],
  'account.close': [],
} as const satisfies Readonly<Record<string, readonly UserRole[]>>;

export type Permission = (typeof READS)[number] | keyof typeof ACTS;
export const PERMISSIONS: readonly Permission[] = [...READS, ...(Object.keys(ACTS) as (keyof typeof ACTS)[])];

/** Whether the role has the permission. An owner has all. */
export function permits(role: UserRole, permission: Permission): boolean {
  if (role === 'owner' || !isAct(permission)) return true;
  return (ACTS[permission] as readonly UserRole[]).includes(role);
}

function isAct(permission: Permission): permission is keyof typeof ACTS {
  return permission in ACTS;
}
