import { PERMISSIONS, permits, USER_ROLES } from '../../../src/vocabulary/roles';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { PERMISSION_WORDS, ROLE_WORDS } from './role-words';

const EVERYBODY = PERMISSIONS.filter(permission => USER_ROLES.every(role => permits(role, permission)));
const OTHERS = PERMISSIONS.filter(permission => !EVERYBODY.includes(permission));

/** The permissions of each role, from the one table that every page and form is held against. */
export function RoleTable() {
  return (
    <Card title="Roles">
      <p>Every role sees payments, transfers, links, invoices, fees, books, wallets, routes, keys, endpoints and people.</p>
      <DataTable
        name="Permissions by role"
        columns={[{ heading: 'Permission' }, ...USER_ROLES.map(role => ({ heading: ROLE_WORDS[role] }))]}
        rows={OTHERS.map(permission => ({
          key: permission,
          cells: [
            PERMISSION_WORDS[permission],
            ...USER_ROLES.map(role => (permits(role, permission) ? 'Yes' : <span class="none">No</span>)),
          ],
        }))}
      />
      <details>
        <summary>Permissions of every role</summary>
        <ul class="bullets">
          {EVERYBODY.map(permission => (
            <li key={permission}>{PERMISSION_WORDS[permission]}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
