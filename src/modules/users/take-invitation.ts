import type { PersonContext } from '../../kernel/command-context';
import { isRefusal } from '../../vocabulary/errors';
import { deadLink, type FoundToken, type MailedTokens } from './mailed-tokens';
import { checkPassword, type Passwords } from './password';
import { checkedName } from './registration';

type Means = { readonly tokens: MailedTokens; readonly passwords: Passwords };
type Given = {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly context: Pick<PersonContext, 'commandId' | 'ip'>;
};
type Chosen = { readonly name: string; readonly passwordHash: string };

/**
 * Takes the invitation of a mailed link, and answers the person's id. The person's stream lets one acceptance through,
 * so the token is used up after it. Throws the refusals of a name, of a password and of a dead link.
 */
export async function takeInvitation<Of extends 'invitation' | 'admin_invitation'>(
  { tokens, passwords }: Means,
  purpose: Of,
  { token, name, password, context: { commandId, ip } }: Given,
  accept: (found: FoundToken<Of>, chosen: Chosen) => Promise<unknown>,
): Promise<string> {
  const own = checkedName(name);
  checkPassword(password);
  const found = await tokens.find(purpose, token, commandId);
  const passwordHash = await passwords.hash(password, ip);
  try {
    await accept(found, { name: own, passwordHash });
  } catch (error) {
    throw isRefusal(error, 'invalid_state_transition') ? deadLink() : error;
  }
  await tokens.spend(found, commandId);
  return found.user_id;
}
