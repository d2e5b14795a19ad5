import type { ListedUser } from '../../../src/modules/users/queries/listed-user';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { SelectField } from '../../parts/fields';
import { ShownMail, type MailText } from '../../parts/shown-mail';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { TimeOf } from '../../parts/time-of';
import { ROLE_OPTIONS } from './invite.page';
import { factorsOf } from './people.page';
import { PersonBadge } from './person-badge';
import { ROLE_WORDS } from './role-words';

type PersonView = {
  readonly person: ListedUser;
  readonly isSelf: boolean;
  /** The invitation's mail, where no mail leaves a developer's service. */
  readonly mail: MailText | null;
};

/** One person of the account, with the actions of those who may manage people. */
export function PersonPage({ view: { person, isSelf, mail } }: { readonly view: PersonView }) {
  const mayManage = useMay('user.manage');
  const { email, name, role, status, created, email_verified_at: verified } = person;
  return (
    <DashboardPage
      title={email}
      heading={<Broken email={email} />}
      current="settings/users"
      back={{ path: 'settings/users', text: 'People' }}
      actions={<PersonBadge status={status} />}
    >
      <div class="columns even loose">
        <Card title="Person">
          <Definitions
            entries={[
              ['Name', name ?? 'Not known yet'],
              ['Role', ROLE_WORDS[role]],
              ['Address verified', verified === null ? 'Not yet' : <TimeOf key="verified" at={verified} />],
              ['Second factor', factorsOf(person)],
              ['Since', <TimeOf key="created" at={created} />],
            ]}
          />
        </Card>
        {mayManage && status === 'active' && <Role person={person} />}
        {mayManage && !hasJoined(status) && <Invitation person={person} />}
      </div>
      {mail && <ShownMail mail={mail} />}
      {mayManage && status === 'invited' && <Withdrawal person={person} />}
      {mayManage && hasJoined(status) && <Access person={person} isSelf={isSelf} />}
    </DashboardPage>
  );
}

/** An address that rather breaks before its host than inside of a word. */
function Broken({ email }: { readonly email: string }) {
  const [name, host = ''] = email.split('@', 2);
  return (
    <>
      {name}
      <wbr />@{host}
    </>
  );
}

function Role({ person: { id, role } }: Pick<PersonView, 'person'>) {
  const paths = usePaths();
  return (
    <Card title="Role">
      <p>Another role holds from the next request on. An account keeps at least one owner.</p>
      <SignedForm action={paths(`settings/users/${id}/role`)} asksCode>
        <SelectField name="role" label="Role" value={role} options={ROLE_OPTIONS} />
        <Submit>Change the role</Submit>
      </SignedForm>
    </Card>
  );
}

function hasJoined(status: ListedUser['status']): boolean {
  return status === 'active' || status === 'disabled';
}

function Invitation({ person: { id, email, role, status } }: Pick<PersonView, 'person'>) {
  const paths = usePaths();
  return (
    <Card title="Invitation">
      {status === 'invited' ? (
        <p>{email} has not joined yet. Another mail takes the place of the one before, whose link then does nothing.</p>
      ) : (
        <p>The invitation of {email} was withdrawn, and its link does nothing any more. You can invite them again.</p>
      )}
      <SignedForm action={paths(`settings/users/${id}/invite`)} asksCode>
        <SelectField name="role" label="Role" value={role} options={ROLE_OPTIONS} />
        <Submit>{status === 'invited' ? 'Send another invitation' : 'Invite again'}</Submit>
      </SignedForm>
    </Card>
  );
}

function Withdrawal({ person: { id, email } }: Pick<PersonView, 'person'>) {
  const paths = usePaths();
  const fault = useFault();
  const withdraw = paths(`settings/users/${id}/withdraw`);
  return (
    <Card title="Withdraw the invitation">
      <Confirm
        id="withdraw"
        action={withdraw}
        button="Withdraw the invitation"
        text={
          <p>
            The link in the mail to {email} does nothing from then on, and nobody can join by it. You can invite the
            address again later.
          </p>
        }
        isOpen={fault?.action === withdraw}
        asksCode
      />
    </Card>
  );
}

function Access({ person: { id, email, status }, isSelf }: Pick<PersonView, 'person' | 'isSelf'>) {
  const paths = usePaths();
  const fault = useFault();
  const [disable, enable] = [paths(`settings/users/${id}/disable`), paths(`settings/users/${id}/enable`)];
  if (status === 'disabled')
    return (
      <Card title="Access">
        <Confirm
          id="enable"
          action={enable}
          button="Enable"
          text={<p>{email} can sign in again, in the same role as before.</p>}
          isDanger={false}
          isOpen={fault?.action === enable}
          asksCode
        />
      </Card>
    );
  return (
    <Card title="Access">
      <Confirm
        id="disable"
        action={disable}
        button="Disable"
        text={
          <p>
            {isSelf && <strong>This is you. </strong>}
            {email} is signed out at once and cannot sign in, until somebody enables the access again.
          </p>
        }
        isOpen={fault?.action === disable}
        asksCode
      />
    </Card>
  );
}
