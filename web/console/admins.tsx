import { admins } from '../../src/modules/administration/api/lists/admins';
import { ADMIN_ROLES } from '../../src/vocabulary/admin-roles';
import { Card } from '../parts/card';
import { useAdministrator } from '../parts/console-context';
import { Definitions } from '../parts/definitions';
import { Note } from '../parts/note';
import { Badge, spoken, type Tone } from '../parts/status-badge';
import { TimeOf } from '../parts/time-of';
import { ActionLink } from './actions/action-link';
import type { ListPages } from './lists/list-pages';
import { StateBadge } from './lists/object-words';
import type { RowOf } from './lists/row-of';

type Admin = RowOf<typeof admins>;
const TONES: Readonly<Record<string, Tone>> = { invited: 'info', active: 'ok', disabled: 'bad', withdrawn: 'idle' };

/** The administrators, whom two of them change. */
export const ADMINS: ListPages<Admin> = {
  list: admins,
  path: 'admins',
  title: 'Administrators',
  icon: 'users',
  none: 'No administrator yet',
  columns: [
    { heading: 'Name' },
    { heading: 'E-mail address' },
    { heading: 'Role' },
    { heading: 'Status' },
    { heading: 'Since' },
  ],
  cells: ({ name, email, role, status, created }) => [
    name ?? email,
    email,
    spoken(role),
    <StateBadge text={status} tones={TONES} />,
    <TimeOf at={created} />,
  ],
  above: () => (
    <Note tone="info" icon="info">
      <p>
        An owner approves what another owner proposes. While there is one owner alone, the command line makes the second
        one: <code>npx quittance admin create --email …</code>
      </p>
    </Note>
  ),
  actions: () => <ActionLink action="inviteAdmin" text="Invite somebody" isMain />,
  detail: {
    title: ({ name, email }) => name ?? email,
    actions: AdminSteps,
    body: ({ row: { id, email, role, status, totp_enrolled_at: enrolled, passkeys, created } }) => (
      <Card title="Administrator" liveId="admin" said={status}>
        <Definitions
          entries={[
            ['Status', <StateBadge text={status} tones={TONES} />],
            ['Role', spoken(role)],
            ['E-mail address', email],
            ['Id', <code>{id}</code>],
            ['Authenticator', enrolled === null ? 'None yet' : <TimeOf at={enrolled} />],
            ['Passkeys', String(passkeys)],
            ['Since', <TimeOf at={created} />],
          ]}
        />
      </Card>
    ),
  },
};

function AdminSteps({ row: { id, role, status } }: { readonly row: Admin }) {
  const { userId } = useAdministrator();
  if (id === userId) return <Badge tone="ok" text="You" />;
  const other = ADMIN_ROLES.find(each => each !== role) ?? role;
  return (
    <>
      {status === 'active' && (
        <ActionLink action="changeAdmin" text="Give another role" target={id} fields={{ role: other }} />
      )}
      {(status === 'active' || status === 'invited') && (
        <ActionLink action="changeAdmin" text="Disable" target={id} fields={{ status: 'disabled' }} isDanger />
      )}
      {status === 'active' && (
        <ActionLink
          action="changeAdmin"
          text="Reset the authenticator"
          target={id}
          fields={{ authenticator: 'reset' }}
          isDanger
        />
      )}
      {status === 'disabled' && (
        <ActionLink action="changeAdmin" text="Enable" target={id} fields={{ status: 'active' }} isMain />
      )}
    </>
  );
}
