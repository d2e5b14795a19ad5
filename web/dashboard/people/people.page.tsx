import type { ListedUser } from '../../../src/modules/users/queries/listed-user';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Live } from '../../parts/card';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import { plural } from '../../words/plural';
import { PersonBadge } from './person-badge';
import { RoleTable } from './role-table';
import { ROLE_WORDS } from './role-words';

type Props = { readonly people: readonly ListedUser[] };

/** The people who sign in for the account. */
export function PeoplePage({ people }: Props) {
  const paths = usePaths();
  const mayManage = useMay('user.manage');
  const invite = mayManage && (
    <a class="button main" href={paths('settings/users/new')}>
      <Icon name="user-plus" />
      Invite somebody
    </a>
  );
  return (
    <DashboardPage title="People" current="settings/users" actions={invite || undefined}>
      <Live id="people">
        <DataTable
          name="People"
          columns={[
            { heading: 'E-mail address' },
            { heading: 'Name' },
            { heading: 'Role' },
            { heading: 'State' },
            { heading: 'Second factor' },
            { heading: 'Since' },
          ]}
          rows={people.map(person => ({
            key: person.id,
            href: paths(`settings/users/${person.id}`),
            cells: [
              <span key="email" class="wrapped">
                {person.email}
              </span>,
              person.name ?? '–',
              ROLE_WORDS[person.role],
              <PersonBadge key="state" status={person.status} />,
              factorsOf(person),
              <TimeOf key="created" at={person.created} as="day" />,
            ],
          }))}
        />
      </Live>
      <RoleTable />
    </DashboardPage>
  );
}

export function factorsOf({ totp_enrolled_at: enrolled, passkey_count: count }: ListedUser): string {
  const factors = [...(enrolled === null ? [] : ['Authenticator']), ...(count === 0 ? [] : [plural(count, 'passkey')])];
  return factors.length === 0 ? 'None yet' : factors.join(', ');
}
