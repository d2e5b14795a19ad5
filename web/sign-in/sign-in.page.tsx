import { EntryPage, useEntryPaths } from '../parts/entry-page';
import { CodeField, PasswordField, TextField } from '../parts/fields';
import { Note } from '../parts/note';
import { useSigned } from '../parts/signed-context';
import { SignedForm, Submit } from '../parts/signed-form';

/** The page that was wanted before signing in; empty for the home. */
type NextProps = { readonly next: string };

const REASONS = {
  opened: 'Your account is open. Sign in with your e-mail address and the password that you have just chosen.',
  renewed: 'Your new password is set. All devices were signed out.',
  unknown_session: 'Sign in to go on.',
  session_expired: 'Your session has ended, since it was not used for a while or its time was over. Sign in again.',
  session_revoked: 'This device was signed out. Sign in again.',
  session_ip_mismatch: 'Your network address has changed, and your account does not permit that. Sign in from here.',
  account_disabled: 'This account is disabled. Contact support.',
} as const;

/** The reason why somebody has to sign in again. */
export type SignInReason = keyof typeof REASONS;

export function isSignInReason(text: string): text is SignInReason {
  return Object.hasOwn(REASONS, text);
}

type SignInProps = NextProps & { readonly reason: SignInReason | null };

export function SignInPage({ next, reason }: SignInProps) {
  const at = useEntryPaths();
  const { realm } = useSigned();
  const ways = [
    ...(realm.takesStrangers ? [{ href: at('sign-up'), text: 'Open an account' }] : []),
    { href: at('reset'), text: 'Forgotten your password?' },
  ];
  return (
    <EntryPage title="Sign in" ways={ways}>
      {reason !== null && (
        <Note tone="info" icon="info">
          <p>{REASONS[reason]}</p>
        </Note>
      )}
      <SignedForm action={at('sign-in')}>
        <input type="hidden" name="next" value={next} />
        <TextField name="email" label="E-mail address" type="email" autocomplete="username" />
        <PasswordField name="password" label="Password" />
        <Submit>Sign in</Submit>
      </SignedForm>
      <div
        class="form"
        hidden
        data-scripted
        data-passkey="sign-in"
        data-options={at('passkey/options')}
        data-send={at('passkey')}
        data-next={next}
      >
        <button type="button" class="button wide">
          Sign in with a passkey
        </button>
        <p role="status" />
      </div>
    </EntryPage>
  );
}

/** The second step of signing in. */
export function CodePage({ next }: NextProps) {
  const at = useEntryPaths();
  const ways = [{ href: at('recovery'), text: 'Lost your authenticator?' }];
  return (
    <EntryPage title="Confirm that it is you" ways={ways}>
      <SignedForm action={at('code')}>
        <input type="hidden" name="next" value={next} />
        <CodeField hint="The six digits that your authenticator app shows now." />
        <Submit>Go on</Submit>
      </SignedForm>
      <StartAnew />
    </EntryPage>
  );
}

/** A person who is signed in on as many devices as allowed. */
export function ChoicePage({ next }: NextProps) {
  const at = useEntryPaths();
  return (
    <EntryPage title="You are signed in on five devices">
      <p>That is as many as there may be. To sign in here, the device that signed in first is signed out.</p>
      <SignedForm action={at('choice')}>
        <input type="hidden" name="next" value={next} />
        <Submit>Sign out the oldest device</Submit>
      </SignedForm>
      <StartAnew />
    </EntryPage>
  );
}

export function RecoveryPage() {
  const at = useEntryPaths();
  return (
    <EntryPage title="Use a recovery code" ways={[{ href: at('code'), text: 'Back to the code' }]}>
      <p>Each of your ten recovery codes works once. Then you set up an authenticator anew.</p>
      <SignedForm action={at('recovery')}>
        <TextField name="recovery_code" label="Recovery code" maxLength={64} />
        <Submit>Go on</Submit>
      </SignedForm>
    </EntryPage>
  );
}

/** Leaves a session that is not full yet. */
export function StartAnew() {
  const at = useEntryPaths();
  return (
    <SignedForm action={at('sign-out')} class="quiet">
      <button type="submit" class="button">
        Sign in as somebody else
      </button>
    </SignedForm>
  );
}
