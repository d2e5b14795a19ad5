import { Command } from 'commander';
import { everyDocument } from '../../kernel/every-document';
import { merchants } from '../../modules/merchants/merchant.decider';
import { EndAllSessions } from '../../modules/sessions/commands/session.command';
import {
  DisableUser,
  EnableUser,
  InviteUser,
  ResetAuthenticator,
  WithdrawInvitation,
} from '../../modules/users/commands/manage-users.command';
import { checkedEmail } from '../../modules/users/registration';
import { userIdOfEmail } from '../../modules/users/registration';
import { users } from '../../modules/users/user.decider';
import { accountOf } from '../../modules/users/user.state';
import { usersReadModel, type UserDocument } from '../../modules/users/users.read-model';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { USER_ROLES } from '../../vocabulary/roles';
import { example, perform, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';

const PAGE = 100;
const MERCHANT = 'mch_01k9t3m5x8q2v7n4r6c1d0f8ga';
const USER = 'usr_01k9t3m5x8q2v7n4r6c1d0f8ga';

type InviteOptions = { readonly email: string; readonly role: string };

export function userCommand(session: Session): Command {
  const user = new Command('user').description('People who sign in for a merchant.');
  user
    .command('list')
    .description('Lists the people of a merchant, the oldest first.')
    .argument('<merchant>', 'id of the merchant')
    .addHelpText('after', example(`user list ${MERCHANT}`))
    .action((merchantId: string, _: object, command: Command) =>
      perform(session, command, toolbox => list(toolbox, merchantId)),
    );
  user
    .command('invite')
    .description(
      'Mails an invitation to an address, good for seven days. A link that was mailed before does nothing more.',
    )
    .argument('<merchant>', 'id of the merchant')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .requiredOption('--role <role>', `one of ${USER_ROLES.join(', ')}`)
    .addHelpText('after', example(`user invite ${MERCHANT} --email books@example.com --role finance`))
    .action((merchantId: string, options: InviteOptions, command: Command) =>
      perform(session, command, toolbox => invite(toolbox, merchantId, options)),
    );
  user
    .command('withdraw-invitation')
    .description('Ends an invitation that nobody has taken, and its link. The address may be invited again.')
    .argument('<merchant>', 'id of the merchant')
    .argument('<user>', 'id of the person, as `user list` shows it')
    .addHelpText('after', example(`user withdraw-invitation ${MERCHANT} ${USER}`))
    .action((merchantId: string, userId: string, _: object, command: Command) =>
      perform(session, command, toolbox => withdraw(toolbox, merchantId, userId)),
    );
  user
    .command('disable')
    .description('Ends all sessions of a person at once, and lets the person sign in no more.')
    .argument('<merchant>', 'id of the merchant')
    .argument('<user>', 'id of the person, as `user list` shows it')
    .addHelpText('after', example(`user disable ${MERCHANT} ${USER}`))
    .action((merchantId: string, userId: string, _: object, command: Command) =>
      perform(session, command, toolbox => disable(toolbox, merchantId, userId)),
    );
  user
    .command('enable')
    .description('Takes a disabling back.')
    .argument('<merchant>', 'id of the merchant')
    .argument('<user>', 'id of the person, as `user list` shows it')
    .addHelpText('after', example(`user enable ${MERCHANT} ${USER}`))
    .action((merchantId: string, userId: string, _: object, command: Command) =>
      perform(session, command, toolbox => enable(toolbox, merchantId, userId)),
    );
  user
    .command('sign-out')
    .description('Ends all sessions of a person at once. The person may sign in again.')
    .argument('<merchant>', 'id of the merchant')
    .argument('<user>', 'id of the person, as `user list` shows it')
    .addHelpText('after', example(`user sign-out ${MERCHANT} ${USER}`))
    .action((merchantId: string, userId: string, _: object, command: Command) =>
      perform(session, command, toolbox => signOut(toolbox, merchantId, userId)),
    );
  user
    .command('reset-authenticator')
    .description(
      'Removes the authenticator, recovery codes and passkeys of a person who has lost them, and ends all sessions. ' +
        'The next sign-in by the password enrols anew.',
    )
    .argument('<email>', 'e-mail address of the person')
    .requiredOption('--reason <text>', 'why, and how you know the person; the log and the mails tell it')
    .addHelpText('after', example('user reset-authenticator books@example.com --reason "Seen in person, by passport."'))
    .action((email: string, { reason }: { readonly reason: string }, command: Command) =>
      perform(session, command, toolbox => resetAuthenticator(toolbox, email, reason)),
    );
  return user;
}

async function list(toolbox: Toolbox, merchantId: string): Promise<Answer> {
  await contextFor(toolbox, merchantId);
  const people: ReturnType<typeof shown>[] = [];
  const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: PAGE };
  for await (const listed of everyDocument(toolbox.readModels, usersReadModel, query)) {
    const fresh = await toolbox.readModels.freshen(usersReadModel, 'platform', listed);
    if (fresh?.body.merchant_id === merchantId) people.push(shown(fresh.id, fresh.body));
  }
  return {
    json: { users: people },
    lines: people.map(({ id, status, role, email, name }) =>
      [id, status.padEnd(9), role.padEnd(9), email, name ?? ''].join('  ').trimEnd(),
    ),
  };
}

/** The facts that may be shown: no hash and no sealed secret. */
function shown(id: string, { email, name, role, status, ...rest }: UserDocument) {
  const { email_verified_at, totp_enrolled_at, recovery_codes_left, created, passkeys } = rest;
  const enrolled = { email_verified_at, totp_enrolled_at, recovery_codes_left, passkeys: passkeys.length };
  return { id, email, name, role, status, ...enrolled, created };
}

async function invite(toolbox: Toolbox, merchantId: string, { email, role }: InviteOptions): Promise<Answer> {
  const context = await contextFor(toolbox, merchantId);
  const { userId } = await executeCommand(toolbox, new InviteUser(email, role, context));
  return {
    json: { user_id: userId, merchant_id: merchantId, role, status: 'invited' },
    lines: [`${userId} of ${merchantId} is invited as ${role}. The mail is in the outbox.`],
  };
}

async function withdraw(toolbox: Toolbox, merchantId: string, userId: string): Promise<Answer> {
  const context = await contextFor(toolbox, merchantId);
  await executeCommand(toolbox, new WithdrawInvitation(checkedUser(userId), context));
  return {
    json: { user_id: userId, merchant_id: merchantId, status: 'withdrawn' },
    lines: [`The invitation of ${userId} by ${merchantId} is withdrawn. Its link does nothing any more.`],
  };
}

async function disable(toolbox: Toolbox, merchantId: string, userId: string): Promise<Answer> {
  const context = await contextFor(toolbox, merchantId);
  await executeCommand(toolbox, new DisableUser(checkedUser(userId), context));
  return {
    json: { user_id: userId, merchant_id: merchantId, status: 'disabled' },
    lines: [`${userId} of ${merchantId} is disabled, and signed out everywhere.`],
  };
}

async function enable(toolbox: Toolbox, merchantId: string, userId: string): Promise<Answer> {
  const context = await contextFor(toolbox, merchantId);
  await executeCommand(toolbox, new EnableUser(checkedUser(userId), context));
  return {
    json: { user_id: userId, merchant_id: merchantId, status: 'enabled' },
    lines: [`${userId} of ${merchantId} is enabled.`],
  };
}

async function signOut(toolbox: Toolbox, merchantId: string, userId: string): Promise<Answer> {
  const { ip, actor } = await contextFor(toolbox, merchantId);
  const found = await toolbox.readModels.get(usersReadModel, 'platform', checkedUser(userId));
  if (found?.body.merchant_id !== merchantId) throw refuse('resource_missing', { param: 'user' });
  await executeCommand(toolbox, new EndAllSessions(userId, 'operator', { ip, requestId: null, merchantId, actor }));
  return {
    json: { user_id: userId, merchant_id: merchantId, status: 'signed_out' },
    lines: [`${userId} of ${merchantId} is signed out everywhere.`],
  };
}

/** Throws Refusal resource_missing for an address without an account, or the refusals of ResetAuthenticator. */
async function resetAuthenticator(toolbox: Toolbox, email: string, reason: string): Promise<Answer> {
  const userId = userIdOfEmail(checkedEmail(email));
  const account = accountOf((await toolbox.writes.load(users, 'platform', userId)).state);
  if (account === null)
    throw refuse('resource_missing', { param: 'email', message: 'Nobody signs in by this address.' });
  const { merchantId } = account;
  await executeCommand(toolbox, new ResetAuthenticator(userId, reason, { ...operatorContext(toolbox), merchantId }));
  return {
    json: { user_id: userId, merchant_id: merchantId, status: 'authenticator_reset' },
    lines: [`${userId} of ${merchantId} is signed out everywhere, and enrols an authenticator at the next sign-in.`],
  };
}

/** Throws Refusal merchant_not_found. */
async function contextFor(toolbox: Toolbox, merchantId: string) {
  const isMerchant =
    isId('mch', merchantId) && (await toolbox.writes.load(merchants, 'platform', merchantId)).state.status !== 'none';
  if (!isMerchant) throw refuse('merchant_not_found', { param: 'merchant' });
  return { ...operatorContext(toolbox), merchantId };
}

/** Throws Refusal resource_missing. */
function checkedUser(userId: string): string {
  if (isId('usr', userId)) return userId;
  throw refuse('resource_missing', { param: 'user', message: 'The id of a person begins with usr_.' });
}
