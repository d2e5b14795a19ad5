import type { ListedPasskey } from '../../src/modules/passkeys/queries/listed-passkey';
import { browserFamily } from '../../src/modules/sessions/browser-family';
import type { ListedSession } from '../../src/modules/sessions/queries/listed-session';
import { MIN_PASSWORD_LENGTH } from '../../src/modules/users/password';
import { MAX_NAME_LENGTH } from '../../src/modules/users/registration';
import { Card } from '../parts/card';
import { Confirm } from '../parts/confirm';
import { DataTable } from '../parts/data-table';
import { useEntryPaths } from '../parts/entry-page';
import { PasswordField } from '../parts/fields';
import { Secret } from '../parts/secret';
import { useFaulty, usePaths, useSigned } from '../parts/signed-context';
import { SignedForm, Submit } from '../parts/signed-form';
import { Badge } from '../parts/status-badge';
import { TimeOf } from '../parts/time-of';
import { OfferedTotp } from '../sign-in/enrol.page';

type SecurityView = {
  readonly codesLeft: number;
  readonly sessions: readonly ListedSession[];
  readonly passkeys: readonly ListedPasskey[];
};

/** The ways in which a person signs in, and the devices that are signed in. */
export function SecurityCards({ view: { codesLeft, sessions, passkeys } }: { readonly view: SecurityView }) {
  return (
    <>
      <div class="columns even">
        <Password />
        <SecondFactor codesLeft={codesLeft} />
      </div>
      <Passkeys passkeys={passkeys} />
      <Devices sessions={sessions} />
    </>
  );
}

function Password() {
  const paths = usePaths();
  return (
    <Card title="Password">
      <SignedForm action={paths('security/password')}>
        <PasswordField name="present" label="Present password" />
        <PasswordField name="wanted" label="New password" hint={`At least ${MIN_PASSWORD_LENGTH} characters.`} isNew />
        <Submit>Change the password</Submit>
      </SignedForm>
    </Card>
  );
}

function SecondFactor({ codesLeft }: Pick<SecurityView, 'codesLeft'>) {
  const paths = usePaths();
  const isFaulty = useFaulty();
  const [authenticator, codes] = [paths('security/authenticator'), paths('security/recovery-codes')];
  return (
    <Card title="Authenticator and recovery codes">
      <p>Your authenticator shows a code for signing in and for each risky action.</p>
      <Confirm
        id="authenticator"
        action={authenticator}
        button="Use another authenticator"
        text={<p>The present one goes on working until the other one has shown its first code.</p>}
        isDanger={false}
        isOpen={isFaulty(authenticator)}
        asksCode
      />
      <p>
        Where the authenticator is lost, a recovery code lets you in. <CodesLeft count={codesLeft} />
      </p>
      <Confirm
        id="recovery-codes"
        action={codes}
        button="Make new recovery codes"
        text={<p>You get ten new codes. All former ones end at once, and none of them comes back.</p>}
        isOpen={isFaulty(codes)}
        asksCode
      />
    </Card>
  );
}

function CodesLeft({ count }: { readonly count: number }) {
  if (count === 0) return <strong>You have none: make some now.</strong>;
  return <>{count === 1 ? 'You have one left.' : `You have ${count} left.`}</>;
}

function Passkeys({ passkeys }: Pick<SecurityView, 'passkeys'>) {
  const at = useEntryPaths();
  return (
    <Card title="Passkeys">
      {passkeys.length === 0 && (
        <p>You have no passkey. With one, you sign in without a password and without a code.</p>
      )}
      {passkeys.length > 0 && (
        <DataTable
          name="Passkeys"
          columns={[{ heading: 'Name' }, { heading: 'Added' }, { heading: 'Last used' }, { heading: 'Remove' }]}
          rows={passkeys.map(({ id, name, created, last_used_at: used }) => ({
            key: id,
            cells: [
              name,
              <TimeOf key="created" at={created} />,
              used === null ? 'Never' : <TimeOf key="used" at={used} />,
              <RemovePasskey key="remove" id={id} name={name} />,
            ],
          }))}
        />
      )}
      <div
        class="form"
        hidden
        data-scripted
        data-passkey="register"
        data-options={at('passkeys/options')}
        data-send={at('passkeys')}
      >
        <div class="field">
          <label for="passkey-name">Name of the new passkey</label>
          <input type="text" id="passkey-name" value="This device" maxLength={MAX_NAME_LENGTH} data-name />
        </div>
        <div class="field">
          <label for="passkey-code">Code of your authenticator</label>
          <input
            type="text"
            id="passkey-code"
            class="code-input"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={10}
            data-code
          />
        </div>
        <button type="button" class="button">
          Add a passkey
        </button>
        <p role="status" />
      </div>
    </Card>
  );
}

function RemovePasskey({ id, name }: Pick<ListedPasskey, 'id' | 'name'>) {
  const paths = usePaths();
  const { realm } = useSigned();
  const isFaulty = useFaulty();
  const action = paths(`security/passkeys/${id}/remove`);
  return (
    <Confirm
      id={`remove-${id}`}
      action={action}
      button={
        <>
          Remove<span class="sr"> {name}</span>
        </>
      }
      text={
        <p>
          {name} signs you in no more, and cannot be brought back. Its device needs another passkey, or your password.
        </p>
      }
      isOpen={isFaulty(action)}
      asksCode={realm.name === 'admin'}
    />
  );
}

function Devices({ sessions }: Pick<SecurityView, 'sessions'>) {
  const paths = usePaths();
  const isFaulty = useFaulty();
  const others = paths('security/sessions/others');
  return (
    <Card title="Devices that are signed in" liveId="devices">
      <DataTable
        name="Devices"
        columns={[
          { heading: 'Device' },
          { heading: 'Address' },
          { heading: 'Since' },
          { heading: 'Last used' },
          { heading: 'Sign out' },
        ]}
        rows={sessions.map(session => ({ key: session.id, cells: cellsOf(session, paths) }))}
      />
      {sessions.length > 1 && (
        <Confirm
          id="sign-out-others"
          action={others}
          button="Sign out all other devices"
          text={
            <p>
              {sessions.length === 2 ? 'One device is' : `${sessions.length - 1} devices are`} signed out at once, and
              what was typed there is lost.
            </p>
          }
          isOpen={isFaulty(others)}
        />
      )}
    </Card>
  );
}

function cellsOf(session: ListedSession, paths: (path: string) => string) {
  const { id, user_agent: agent, ip, current, created, last_used_at: used } = session;
  return [
    <span key="device" title={agent}>
      {deviceOf(agent)}
    </span>,
    ip ?? 'Unknown',
    <TimeOf key="created" at={created} />,
    <TimeOf key="used" at={used} />,
    current ? (
      <Badge key="own" tone="ok" text="This device" />
    ) : (
      <SignedForm key="out" action={paths(`security/sessions/${id}/sign-out`)} class="quiet">
        <button type="submit" class="button">
          Sign out<span class="sr"> the device at {ip ?? 'an unknown address'}</span>
        </button>
      </SignedForm>
    ),
  ] as const;
}

/** The first that an agent names counts: Android names Linux too. */
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** A device in words, as far as its browser tells. */
function deviceOf(agent: string): string {
  const family = browserFamily(agent);
  const browser = family === 'other' ? 'A browser' : family;
  const [, system] = SYSTEMS.find(([sign]) => sign.test(agent)) ?? [];
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The secret of another authenticator, and the field of its first code. */
export function NewAuthenticator({ secret, uri }: { readonly secret: string; readonly uri: string }) {
  const paths = usePaths();
  return (
    <Card>
      <OfferedTotp secret={secret} uri={uri} action={paths('security/authenticator/first-code')} />
    </Card>
  );
}

export function NewCodes({ codes }: { readonly codes: readonly string[] }) {
  const paths = usePaths();
  return (
    <Card>
      <Secret label="recovery codes" texts={codes}>
        <a class="button main" href={paths('security')}>
          I have kept them
        </a>
      </Secret>
    </Card>
  );
}
