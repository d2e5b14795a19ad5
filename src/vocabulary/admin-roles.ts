/** The roles of administrators: people who sign in for the operator. */
export const ADMIN_ROLES = ['viewer', 'support', 'operations', 'compliance', 'finance', 'owner'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export function isAdminRole(text: string): text is AdminRole {
  return (ADMIN_ROLES as readonly string[]).includes(text);
}

type Rule = {
  /** The roles that have the permission besides the owner, who has all. */
  readonly roles: readonly AdminRole[];
  /** Whether one administrator proposes the action, and another one approves it. */
  readonly fourEyes: boolean;
};

/** The permissions of administrators. The role `support` proposes actions of four eyes, and carries none out. */
// prettier-ignore
export const ADMIN_PERMISSIONS = {
  'console.read':     { roles: ['viewer', 'support', 'operations', 'compliance', 'finance'], fourEyes: false },
  'audit.read':       { roles: ['compliance'],            fourEyes: false },
  'kyb.approve':      { roles: ['support', 'compliance'], fourEyes: true },
  'kyb.reject':       { roles: ['compliance'],            fourEyes: false },
  'hold.place':       { roles: ['compliance'],            fourEyes: false },
  'hold.release':     { roles: ['support', 'compliance'], fourEyes: true },
  'hold.reject':      { roles: ['support', 'compliance'], fourEyes: true },
  'payment.resolve':  { roles: ['support', 'operations'], fourEyes: true },
  'transfer.resolve': { roles: ['support', 'operations'], fourEyes: true },
  'transfer.reopen':  { roles: ['operations'],            fourEyes: false },
  'claim.resolve':    { roles: ['operations'],            fourEyes: false },
  'merchant.suspend': { roles: ['support', 'compliance'], fourEyes: true },
  'merchant.close':   { roles: ['support', 'compliance'], fourEyes: true },
  'merchant.resume':  { roles: ['support', 'compliance'], fourEyes: true },
  'merchant.limits':  { roles: ['compliance'],            fourEyes: false },
  'kill_switch.set':  { roles: ['operations'],            fourEyes: false },
  'controls.edit':    { roles: ['compliance'],            fourEyes: false },
  'sanctions.edit':   { roles: ['compliance'],            fourEyes: false },
  'fee.adjust':       { roles: ['support', 'finance'],    fourEyes: true },
  'fee.invoice':      { roles: ['finance'],               fourEyes: false },
  'admin.manage':     { roles: ['support'],               fourEyes: true },
  'system.operate':   { roles: ['operations'],            fourEyes: false },
  'coverage.close':   { roles: ['support', 'compliance'], fourEyes: true },
} as const satisfies Readonly<Record<string, Rule>>;

export type AdminPermission = keyof typeof ADMIN_PERMISSIONS;

/** The administrator who acts, with the role of this moment. */
export type AdminActor = { readonly id: string; readonly role: AdminRole };

export function isAdminPermission(text: string): text is AdminPermission {
  return Object.hasOwn(ADMIN_PERMISSIONS, text);
}

/** Whether the role has the permission, be it to propose alone. */
export function adminPermits(role: AdminRole, permission: AdminPermission): boolean {
  const { roles }: Rule = ADMIN_PERMISSIONS[permission];
  return role === 'owner' || roles.includes(role);
}

/** Whether the role approves the action and carries it out. A role that only proposes does neither. */
export function mayExecute(role: AdminRole, permission: AdminPermission): boolean {
  return adminPermits(role, permission) && !(role === 'support' && isFourEyes(permission));
}

export function isFourEyes(permission: AdminPermission): boolean {
  return ADMIN_PERMISSIONS[permission].fourEyes;
}
