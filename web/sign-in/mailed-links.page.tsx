import type { ComponentChildren } from 'preact';
import { MIN_PASSWORD_LENGTH } from '../../src/modules/users/password';
import { MAX_NAME_LENGTH } from '../../src/modules/users/registration';
import { EntryPage, useEntryPaths } from '../parts/entry-page';
import { PasswordField, TextField } from '../parts/fields';
import { ShownMail, type MailText } from '../parts/shown-mail';
import { useFault } from '../parts/signed-context';
import { SignedForm, Submit } from '../parts/signed-form';

export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words are good.`;

export function ResetPage() {
  const at = useEntryPaths();
  return (
    <EntryPage title="Choose a new password" ways={[{ href: at('sign-in'), text: 'Back to signing in' }]}>
      <p>You get a link by mail, which works for an hour.</p>
      <SignedForm action={at('reset')}>
        <TextField name="email" label="E-mail address" type="email" autocomplete="username" />
        <Submit>Send the link</Submit>
      </SignedForm>
    </EntryPage>
  );
}

/** Says the same for every address. Where no mail can leave, as in development, the mail is shown. */
export function MailSentPage({ mail }: { readonly mail: MailText | null }) {
  return (
    <EntryPage title="Look in your mail">
      <p>If everything is right with the address, a mail with a link is on its way.</p>
      {mail && <ShownMail mail={mail} />}
    </EntryPage>
  );
}

/** The page of a mailed link. The link's token is taken by its form alone. */
export type TokenProps = { readonly token: string };

export function NewPasswordPage({ token }: TokenProps) {
  const at = useEntryPaths();
  if (useIsDead()) return <DeadLink another={{ href: at('reset'), text: 'Ask for another link' }} />;
  return (
    <TokenForm title="Choose a new password" path="new-password" token={token} button="Set the password">
      <PasswordField name="password" label="New password" hint={PASSWORD_HINT} isNew />
    </TokenForm>
  );
}

export function InvitationPage({ token }: TokenProps) {
  if (useIsDead()) return <DeadInvitation />;
  return (
    <TokenForm title="You are invited" path="invitation" token={token} button="Join">
      <TextField name="name" label="Your own name" autocomplete="name" maxLength={MAX_NAME_LENGTH} />
      <PasswordField name="password" label="Password" hint={PASSWORD_HINT} isNew />
    </TokenForm>
  );
}

/** Whether the link of the page was refused, and not what was typed. */
export function useIsDead(): boolean {
  return useFault()?.param === 'token';
}

type DeadLinkProps = { readonly another: { readonly href: string; readonly text: string } };

/** A form would be refused again, so the page leads to another link. */
export function DeadLink({ another }: DeadLinkProps) {
  const at = useEntryPaths();
  const signIn = { href: at('sign-in'), text: 'Sign in' };
  return (
    <EntryPage title="This link does not work" ways={[another, signIn]}>
      <p role="alert">It was used, a newer mail has taken its place, its time is over, or it is not whole.</p>
    </EntryPage>
  );
}

/** The page says the same for every link that does nothing, so that nobody learns of invitations from it. */
function DeadInvitation() {
  const at = useEntryPaths();
  return (
    <EntryPage title="This invitation does not work" ways={[{ href: at('sign-in'), text: 'I have joined already' }]}>
      <p role="alert">It was used or withdrawn, a newer mail has taken its place, or its time is over.</p>
      <p>Ask the person who has invited you for another one.</p>
    </EntryPage>
  );
}

type TokenFormProps = TokenProps & {
  readonly title: string;
  readonly path: string;
  readonly button: string;
  readonly children: ComponentChildren;
};

export function TokenForm({ title, path, token, button, children }: TokenFormProps) {
  const at = useEntryPaths();
  return (
    <EntryPage title={title} ways={[{ href: at('sign-in'), text: 'Back to signing in' }]}>
      <SignedForm action={at(path)}>
        <input type="hidden" name="token" value={token} />
        {children}
        <Submit>{button}</Submit>
      </SignedForm>
    </EntryPage>
  );
}
