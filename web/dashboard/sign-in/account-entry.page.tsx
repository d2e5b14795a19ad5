import { MAX_NAME_LENGTH } from '../../../src/modules/users/registration';
import { EntryPage, useEntryPaths } from '../../parts/entry-page';
import { PasswordField, TextField } from '../../parts/fields';
import { SignedForm, Submit } from '../../parts/signed-form';
import { DeadLink, PASSWORD_HINT, TokenForm, useIsDead, type TokenProps } from '../../sign-in/mailed-links.page';

export function SignUpPage() {
  const at = useEntryPaths();
  return (
    <EntryPage title="Open an account" ways={[{ href: at('sign-in'), text: 'I have an account' }]}>
      <SignedForm action={at('sign-up')}>
        <TextField
          name="business"
          label="Name of your business"
          autocomplete="organization"
          maxLength={MAX_NAME_LENGTH}
        />
        <TextField name="name" label="Your own name" autocomplete="name" maxLength={MAX_NAME_LENGTH} />
        <TextField
          name="email"
          label="E-mail address"
          hint="A mail with a link goes there."
          type="email"
          autocomplete="email"
        />
        <Submit>Go on</Submit>
      </SignedForm>
    </EntryPage>
  );
}

export function OpenAccountPage({ token }: TokenProps) {
  const at = useEntryPaths();
  if (useIsDead()) return <DeadLink another={{ href: at('sign-up'), text: 'Ask for another link' }} />;
  return (
    <TokenForm title="Choose your password" path="open-account" token={token} button="Open the account">
      <PasswordField name="password" label="Password" hint={PASSWORD_HINT} isNew />
    </TokenForm>
  );
}
