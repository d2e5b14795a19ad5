import { Command } from 'commander';
import { everyDocument } from '../../kernel/every-document';
import { adminsReadModel, type AdminDocument } from '../../modules/admins/admins.read-model';
import {
  CreateAdmin,
  DisableAdmin,
  EnableAdmin,
  InviteAdmin,
} from '../../modules/admins/commands/manage-admins.command';
import { ResetAuthenticator } from '../../modules/users/commands/manage-users.command';
import { ADMIN_ROLES } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { changeAdmin, inviteAdmin } from '../../modules/administration/api/actions/admins';
import { actOrPropose } from '../act-or-propose';
import { example, perform, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

const PAGE = 100;
const ADMIN = 'adm_01k9t3m5x8q2v7n4r6c1d0f8ga';
const BY_OPERATOR = 'by the operator';

type CreateOptions = { readonly email: string; readonly password?: string; readonly newData?: boolean };
type InviteOptions = { readonly email: string; readonly role: string };
type ReasonOptions = { readonly reason: string };

export function adminCommand(session: Session): Command {
  const admin = new Command('admin').description('Administrators: the people of the operator.');
  admin
    .command('create')
    .description('Makes an owner, until there are two. The first sign-in enrols an authenticator.')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .option('--password <text>', 'password of the owner; without it, one line of standard input')
    .option('--new-data', 'make the data folder where it is missing')
    .addHelpText('after', example('admin create --email owner@example.com < password.txt'))
    .action((options: CreateOptions, command: Command) =>
      perform(session, command, (toolbox, terminal) => create(toolbox, terminal, options), {
        makesData: options.newData === true,
      }),
    );
  admin
    .command('list')
    .description('Lists the administrators, the oldest first.')
    .addHelpText('after', example('admin list'))
    .action((_: object, command: Command) => perform(session, command, list));
  admin
    .command('invite')
    .description('Mails an invitation to an address, which is good for one day.')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .requiredOption('--role <role>', `one of ${ADMIN_ROLES.join(', ')}`)
    .addHelpText('after', example('admin invite --email review@example.com --role compliance'))
    .action((options: InviteOptions, command: Command) =>
      perform(session, command, toolbox => invite(toolbox, options)),
    );
  withReason(admin, 'disable', 'Ends all sessions of an administrator at once, and lets the person sign in no more.')
    .addHelpText('after', example(`admin disable ${ADMIN} --reason "Has left the company."`))
    .action((id: string, { reason }: ReasonOptions, command: Command) =>
      perform(session, command, toolbox => disable(toolbox, id, reason)),
    );
  withReason(admin, 'enable', 'Takes a disabling back.')
    .addHelpText('after', example(`admin enable ${ADMIN}`))
    .action((id: string, { reason }: ReasonOptions, command: Command) =>
      perform(session, command, toolbox => enable(toolbox, id, reason)),
    );
  withReason(
    admin,
    'reset-authenticator',
    'Ends authenticator, recovery codes, passkeys and sessions of an administrator. The next sign-in enrols anew.',
  )
    .addHelpText('after', example(`admin reset-authenticator ${ADMIN} --reason "The phone is lost."`))
    .action((id: string, { reason }: ReasonOptions, command: Command) =>
      perform(session, command, toolbox => resetAuthenticator(toolbox, id, reason)),
    );
  return admin;
}

function withReason(admin: Command, name: string, description: string): Command {
  return admin
    .command(name)
    .description(description)
    .argument('<admin>', 'id of the administrator, as `admin list` shows it')
    .option('--reason <text>', 'why, for the audit log', BY_OPERATOR);
}

/** Where others have to approve, the owner is invited and chooses a password by the mailed link. */
function create(toolbox: Toolbox, terminal: Terminal, { email, password }: CreateOptions): Promise<Answer> {
  return actOrPropose(toolbox, { action: inviteAdmin, id: null, body: { email, role: 'owner' } }, async () => {
    const given = password ?? (await terminal.readLine());
    const { adminId } = await executeCommand(toolbox, new CreateAdmin(email, given, operatorContext(toolbox)));
    return {
      json: { admin_id: adminId, role: 'owner', status: 'active' },
      lines: [`${adminId} is an owner. The first sign-in enrols an authenticator.`],
    };
  });
}

async function list(toolbox: Toolbox): Promise<Answer> {
  const people: ReturnType<typeof shown>[] = [];
  for await (const listed of everyDocument(toolbox.readModels, adminsReadModel, LISTED)) {
    const fresh = await toolbox.readModels.freshen(adminsReadModel, 'platform', listed);
    if (fresh) people.push(shown(fresh.id, fresh.body));
  }
  return {
    json: { admins: people },
    lines: people.map(({ id, status, role, email, name }) =>
      [id, status.padEnd(8), role.padEnd(10), email, name ?? ''].join('  ').trimEnd(),
    ),
  };
}

const LISTED = { index: 'by_created', equals: {}, limit: PAGE };

/** The facts that may be shown: no hash and no sealed secret. */
function shown(id: string, { email, name, role, status, ...rest }: AdminDocument) {
  const { email_verified_at, totp_enrolled_at, recovery_codes_left, created, passkeys } = rest;
  const enrolled = { email_verified_at, totp_enrolled_at, recovery_codes_left, passkeys: passkeys.length };
  return { id, email, name, role, status, ...enrolled, created };
}

function invite(toolbox: Toolbox, { email, role }: InviteOptions): Promise<Answer> {
  return actOrPropose(toolbox, { action: inviteAdmin, id: null, body: { email, role } }, async () => {
    const { adminId } = await executeCommand(toolbox, new InviteAdmin(email, role, operatorContext(toolbox)));
    return {
      json: { admin_id: adminId, role, status: 'invited' },
      lines: [`${adminId} is invited as ${role}. The mail is in the outbox.`],
    };
  });
}

function disable(toolbox: Toolbox, id: string, reason: string): Promise<Answer> {
  return actOrPropose(toolbox, { action: changeAdmin, id: id, body: { status: 'disabled', reason } }, async () => {
    await executeCommand(toolbox, new DisableAdmin(checkedAdmin(id), reason, operatorContext(toolbox)));
    return {
      json: { admin_id: id, status: 'disabled' },
      lines: [`${id} is disabled, and signed out everywhere.`],
    };
  });
}

function enable(toolbox: Toolbox, id: string, reason: string): Promise<Answer> {
  return actOrPropose(toolbox, { action: changeAdmin, id: id, body: { status: 'active', reason } }, async () => {
    await executeCommand(toolbox, new EnableAdmin(checkedAdmin(id), reason, operatorContext(toolbox)));
    return { json: { admin_id: id, status: 'enabled' }, lines: [`${id} is enabled.`] };
  });
}

function resetAuthenticator(toolbox: Toolbox, id: string, reason: string): Promise<Answer> {
  return actOrPropose(toolbox, { action: changeAdmin, id, body: { authenticator: 'reset', reason } }, async () => {
    await executeCommand(toolbox, new ResetAuthenticator(checkedAdmin(id), reason, operatorContext(toolbox)));
    return {
      json: { admin_id: id, status: 'reset' },
      lines: [`${id} enrols an authenticator at the next sign-in, and is signed out everywhere.`],
    };
  });
}

/** Throws Refusal resource_missing. */
function checkedAdmin(id: string): string {
  if (isId('adm', id)) return id;
  throw refuse('resource_missing', { param: 'admin', message: 'The id of an administrator begins with adm_.' });
}
