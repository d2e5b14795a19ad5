import { PERMISSIONS, permits, USER_ROLES } from '../../src/vocabulary/roles';
import { PERMISSION_WORDS, ROLE_WORDS } from '../../web/dashboard/people/role-words';

/** The permissions that go with a role, as the dashboard words them, in Markdown. */
export function roleTable(): string {
  const rows = PERMISSIONS.map(
    permission => [permission, USER_ROLES.filter(role => permits(role, permission))] as const,
  )
    .filter(([, roles]) => roles.length < USER_ROLES.length)
    .map(
      ([permission, roles]) =>
        `| ${PERMISSION_WORDS[permission]} | ${roles.map(role => ROLE_WORDS[role]).join(', ')} |`,
    );
  return ['| Permission | Roles |', '|---|---|', ...rows].join('\n');
}
