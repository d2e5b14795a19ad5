import { MAX_EMAIL_LENGTH } from '../../../src/modules/users/registration';
import { USER_ROLES } from '../../../src/vocabulary/roles';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { SelectField, TextField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { RoleTable } from './role-table';
import { ROLE_WORDS } from './role-words';

export const ROLE_OPTIONS = USER_ROLES.map(role => ({ value: role, text: ROLE_WORDS[role] }));

export function InvitePage() {
  const paths = usePaths();
  return (
    <DashboardPage title="Invite somebody" current="settings/users" back={{ path: 'settings/users', text: 'People' }}>
      <Card>
        <p>The person gets a link by mail, which is good for seven days, and chooses a name and a password there.</p>
        <SignedForm action={paths('settings/users/new')} asksCode>
          <TextField name="email" label="E-mail address" type="email" maxLength={MAX_EMAIL_LENGTH} />
          <SelectField name="role" label="Role" value="viewer" options={ROLE_OPTIONS} />
          <Submit>Send the invitation</Submit>
        </SignedForm>
      </Card>
      <RoleTable />
    </DashboardPage>
  );
}
