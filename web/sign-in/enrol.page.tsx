import { EntryPage, useEntryPaths } from '../parts/entry-page';
import { CodeField } from '../parts/fields';
import { Qr } from '../parts/qr';
import { Secret } from '../parts/secret';
import { SignedForm, Submit } from '../parts/signed-form';
import { StartAnew } from './sign-in.page';

const GROUPS = /.{1,4}/g;

/** The step before a secret is made, since no page makes one by being looked at. */
export function EnrolPage() {
  const at = useEntryPaths();
  return (
    <EntryPage title="Set up an authenticator">
      <p>
        A second factor keeps your account safe where a password is stolen. Any authenticator app on your phone will do,
        such as Aegis, 1Password or Google Authenticator.
      </p>
      <SignedForm action={at('enrol/offer')}>
        <Submit>Show the code to scan</Submit>
      </SignedForm>
      <StartAnew />
    </EntryPage>
  );
}

type OfferedProps = { readonly secret: string; readonly uri: string; readonly action: string };

/** The secret of an authenticator, to scan or to type, and the field of its first code. */
export function OfferedTotp({ secret, uri, action }: OfferedProps) {
  return (
    <>
      <ol class="bullets">
        <li>Scan this code with your authenticator app.</li>
        <li>Type the six digits that the app then shows.</li>
      </ol>
      <Qr text={uri} label="Code for your authenticator app" />
      <details>
        <summary>Type it in instead</summary>
        <p>
          <code>{(secret.match(GROUPS) ?? []).join(' ')}</code>
        </p>
      </details>
      <SignedForm action={action}>
        <CodeField />
        <Submit>Set it up</Submit>
      </SignedForm>
    </>
  );
}

export function OfferPage({ secret, uri }: Omit<OfferedProps, 'action'>) {
  const at = useEntryPaths();
  return (
    <EntryPage title="Set up an authenticator">
      <OfferedTotp secret={secret} uri={uri} action={at('enrol')} />
    </EntryPage>
  );
}

/** Ten codes, shown once. */
export function RecoveryCodesPage({ codes, href }: { readonly codes: readonly string[]; readonly href: string }) {
  return (
    <EntryPage title="Keep your recovery codes">
      <p>Where your authenticator is lost, one of these codes lets you in. Each works once.</p>
      <Secret label="recovery codes" texts={codes}>
        <a class="button main" href={href}>
          I have kept them
        </a>
      </Secret>
    </EntryPage>
  );
}
