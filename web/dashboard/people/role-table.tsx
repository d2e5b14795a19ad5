import { PERMISSIONS, permits, USER_ROLES } from '../../../src/vocabulary/roles';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { PERMISSION_WORDS, ROLE_WORDS } from './role-words';

const ROWS = PERMISSIONS.map(permission => ({
  permission,
  roles: USER_ROLES.filter(role => permits(role, permission)),
}));
const EVERYBODY = ROWS.filter(({ roles }) => roles.length === USER_ROLES.length);
const OTHERS = ROWS.filter(row => !EVERYBODY.includes(row));

/** The permissions of each role, from the one table that every page and form is held against. */
export function RoleTable() {
  return (
    <Card title="Permissions by role">
      <p>Everybody of the account sees its lists and settings. These permissions go with a role:</p>
      <DataTable
        name="Permissions by role"
        columns={[{ heading: 'Permission' }, { heading: 'Roles' }]}
        rows={OTHERS.map(({ permission, roles }) => ({
          key: permission,
          cells: [
            <span key="permission" class="narrow">
              {PERMISSION_WORDS[permission]}
            </span>,
            <span key="roles" class="narrow">
              {roles.map(role => ROLE_WORDS[role]).join(', ')}
            </span>,
          ],
        }))}
      />
      <p>
        A key does nothing over the API that the role of its maker may not do. So a developer’s key of the scope
        payment:create makes payments, and neither decides nor cancels them. An owner’s key does all of it.
      </p>
      <details>
        <summary>Permissions of every role</summary>
        <ul class="bullets">
          {EVERYBODY.map(({ permission }) => (
            <li key={permission}>{PERMISSION_WORDS[permission]}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
