import {
  ADMIN_PERMISSIONS,
  ADMIN_ROLES,
  adminPermits,
  isAdminPermission,
  isAdminRole,
  isFourEyes,
  mayExecute,
  type AdminPermission,
  type AdminRole,
} from '../../src/vocabulary/admin-roles';

const permissions = Object.keys(ADMIN_PERMISSIONS) as AdminPermission[];
const matrix = ADMIN_ROLES.flatMap(role => permissions.map(permission => [role, permission] as const));

/** The nouns of each role, beside the table: the table and this rule are to agree on every pair. */
const NOUNS: Readonly<Record<AdminRole, RegExp>> = {
  viewer: /^console\./,
  support: /^console\./,
  operations: /^(console|transfer|claim|kill_switch|payment|system)\./,
  compliance: /^(console|audit|kyb|hold|sanctions|controls|coverage|merchant)\./,
  finance: /^(console|fee)\./,
  owner: /./,
};

const FOUR_EYES = [
  'admin.manage', 'coverage.close', 'fee.adjust', 'hold.reject', 'hold.release', 'kyb.approve', 'merchant.close',
  'merchant.resume', 'merchant.suspend', 'payment.resolve', 'transfer.resolve',
]; // prettier-ignore

it.each(matrix)('%s and %s', (role, permission) => {
  const mayPropose = role === 'support' && FOUR_EYES.includes(permission);
  expect(mayExecute(role, permission)).toBe(NOUNS[role].test(permission));
  expect(adminPermits(role, permission)).toBe(NOUNS[role].test(permission) || mayPropose);
});

it('takes two administrators for whatever gives rights, moves money or cannot be undone', () => {
  expect(permissions.filter(isFourEyes).sort()).toEqual(FOUR_EYES);
});

it('lets somebody else than an owner and support act by each permission, save the management of administrators', () => {
  const ownersAlone = permissions.filter(permission => {
    return ADMIN_ROLES.every(role => role === 'owner' || !mayExecute(role, permission));
  });
  expect(ownersAlone).toEqual(['admin.manage']);
});

it('knows its own words alone', () => {
  expect(['owner', 'developer', 'Owner', ''].map(isAdminRole)).toEqual([true, false, false, false]);
  expect(['kyb.approve', 'kyb.open', 'toString', ''].map(isAdminPermission)).toEqual([true, false, false, false]);
});
