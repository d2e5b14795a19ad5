import { Reason } from '../../../../platform/http/fields/admin-fields';
import { OneOf, Text } from '../../../../platform/http/fields/text-fields';
import { ADMIN_ROLES, type AdminRole } from '../../../../vocabulary/admin-roles';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import { adminIdOfEmail } from '../../../admins/admin-people';
import { adminsReadModel, type AdminDocument } from '../../../admins/admins.read-model';
import { DisableAdmin, EnableAdmin, GiveAdminRole, InviteAdmin } from '../../../admins/commands/manage-admins.command';
import { ResetAuthenticator } from '../../../users/commands/manage-users.command';
import type { DifferenceRow } from '../../../approvals/approval.events';
import { checkedEmail, MAX_EMAIL_LENGTH } from '../../../users/registration';
import { adminAction, ApprovedBody, row, type ActionReads } from '../admin-action';

const CHANGED_STATUSES = ['active', 'disabled'] as const;

class InviteAdminDto extends ApprovedBody {
  @Text({
    min: 1,
    max: MAX_EMAIL_LENGTH,
    description: 'The address that the invitation is mailed to',
    example: 'ada@example.com',
  })
  email!: string;

  @OneOf(ADMIN_ROLES, { code: 'invalid_role' })
  role!: AdminRole;
}

class ChangeAdminDto extends ApprovedBody {
  @OneOf(ADMIN_ROLES, { presence: 'optional', code: 'invalid_role', description: 'Another role' })
  role?: AdminRole;

  @OneOf(CHANGED_STATUSES, { presence: 'optional', description: 'Or another status' })
  status?: (typeof CHANGED_STATUSES)[number];

  @OneOf(['reset'], { presence: 'optional', description: 'Or the end of authenticator, recovery codes and passkeys' })
  authenticator?: 'reset';

  @Reason()
  reason!: string;
}

/** Null for an id without an administrator. */
async function readAdmin({ find }: ActionReads, id: string): Promise<AdminDocument | null> {
  const found = isId('adm', id) ? await find(adminsReadModel, ['platform'], id) : null;
  return found && found.body;
}

export const inviteAdmin = adminAction({
  permission: 'admin.manage',
  path: 'admins',
  summary: 'Invite an administrator',
  body: InviteAdminDto,
  refuses: ['invalid_role', 'invalid_state_transition'],
  targetOf: ({ email }) => email,
  isTarget: target => !isId('adm', target),
  // However it is spelled, an address is that of one administrator.
  look: async (reads, { target }) => ({ standing: await readAdmin(reads, adminIdOfEmail(checkedEmail(target))) }),
  difference: ({ standing }, { email, role }) => [
    row('email', standing?.email ?? null, email),
    row('role', standing?.role ?? null, role),
  ],
  words: (_, { body: { role } }) => ({
    does: `Mails an invitation. Whoever takes it becomes an administrator of the role ${role}.`,
    to: 'The person who reads mail to this address.',
    cannotUndo: 'The acts of the new administrator stay. The administrator can be disabled.',
  }),
  command: ({ body: { email, role }, execution }) => new InviteAdmin(email, role, execution.context),
});

type Change = Pick<ChangeAdminDto, 'role' | 'status' | 'authenticator'>;

function effectOf({ role, status }: Change): string {
  if (role !== undefined) return `Gives the role ${role} from the next request on.`;
  if (status === 'disabled') return 'Ends the sessions at once. Nobody signs in with this account any more.';
  if (status === 'active') return 'Lets the administrator sign in again.';
  return 'Ends authenticator, recovery codes, passkeys and sessions. The next sign-in by the password enrols anew.';
}

function changedRow({ role, status, totp_enrolled_at: enrolled }: AdminDocument, change: Change): DifferenceRow {
  if (change.role !== undefined) return row('role', role, change.role);
  if (change.status !== undefined) return row('status', status, change.status);
  return row('authenticator', enrolled === null ? null : `enrolled at ${enrolled}`, null);
}

export const changeAdmin = adminAction({
  permission: 'admin.manage',
  path: 'admins/:id',
  summary: 'Give an administrator another role or status, or reset the authenticator',
  body: ChangeAdminDto,
  refuses: ['resource_missing', 'invalid_role', 'invalid_reason', 'invalid_state_transition'],
  isTarget: target => isId('adm', target),
  check: ({ role, status, authenticator }) => {
    if ([role, status, authenticator].filter(each => each !== undefined).length !== 1)
      throw refuse('parameter_invalid', { param: 'role', message: 'Name one of role, status and authenticator.' });
  },
  look: async (reads, { target }) => {
    const standing = await readAdmin(reads, target);
    if (!standing) throw refuse('resource_missing');
    return standing;
  },
  refuseUnfit: ({ status }, { authenticator }) => {
    if (authenticator !== undefined && status !== 'active')
      throw refuse('invalid_state_transition', { message: `The administrator is ${status}.` });
  },
  difference: (standing, { reason, ...change }) => [changedRow(standing, change), row('reason', null, reason)],
  words: ({ email, name }, { body }) => ({
    does: effectOf(body),
    to: `${name ?? 'An administrator without a name'}, ${email}.`,
    cannotUndo:
      body.authenticator === undefined
        ? 'The acts of the administrator stay in the log.'
        : 'The old authenticator, recovery codes and passkeys never work again.',
  }),
  command: ({ target, body: { role, status, reason }, execution: { context } }) => {
    if (role !== undefined) return new GiveAdminRole(target, role, context);
    if (status === undefined) return new ResetAuthenticator(target, reason, context);
    return status === 'disabled' ? new DisableAdmin(target, reason, context) : new EnableAdmin(target, reason, context);
  },
});
