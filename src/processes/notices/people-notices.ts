import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { MailKind } from '../../modules/outbox/mail-kinds';
import type { WritePath } from '../../kernel/write-path';
import type { SessionEvent } from '../../modules/sessions/session.events';
import { admins } from '../../modules/admins/admin.decider';
import type { AdminEvent } from '../../modules/admins/admin.events';
import { users } from '../../modules/users/user.decider';
import type { UserEvent } from '../../modules/users/user.events';
import { realmOf } from '../../vocabulary/realms';
import { deedOf, originOf } from './access-notices';

/** Events of merchants' people, and of administrators. */
export type PeopleEvent = UserEvent | AdminEvent | SessionEvent;

/** A mail to the person whom it is about. */
export type PersonalNotice = { readonly userId: string; readonly mail: MailKind };

/** The mail that an event of a person's sign-in or rights asks for. A person is read where recovery codes are new. */
export class PeopleNotices {
  constructor(private readonly writes: Pick<WritePath, 'load'>) {}

  async noticeOf(event: RecordedEvent<PeopleEvent>): Promise<PersonalNotice | null> {
    if (event.type === 'SessionStarted') {
      const { user_id: userId, method, place, is_new_place: isNewPlace } = event.data;
      const { ip, occurred_at: at } = event.metadata;
      const facts = { realm: realmOf(userId), method, ...place, ip, at };
      return isNewPlace ? { userId, mail: { kind: 'signed_in_anew', facts } } : null;
    }
    if (event.type === 'RecoveryCodesMade' && (await this.isOfEnrolment(event))) return null;
    const mail = mailOf(event);
    return mail && { userId: parseStreamName(event.stream).id, mail };
  }

  /** An enrolment that makes recovery codes is told already. */
  private async isOfEnrolment({ stream, metadata }: RecordedEvent): Promise<boolean> {
    const { id } = parseStreamName(stream);
    const { history } = await (realmOf(id) === 'admin'
      ? this.writes.load(admins, 'platform', id)
      : this.writes.load(users, 'platform', id));
    return history.some(event => event.type === 'TotpEnrolled' && event.metadata.command_id === metadata.command_id);
  }
}

function mailOf(event: RecordedEvent<PeopleEvent>): MailKind | null {
  const origin = originOf(event);
  const own = { realm: realmOf(parseStreamName(event.stream).id), origin };
  switch (event.type) {
    case 'PasswordChanged':
      return { kind: 'password_changed', facts: { ...own, reason: event.data.reason } };
    case 'TotpEnrolled':
      return { kind: 'authenticator_enrolled', facts: own };
    case 'RecoveryCodesMade':
      return { kind: 'recovery_codes_made', facts: own };
    case 'AuthenticatorReset':
      return { kind: 'authenticator_reset', facts: { ...own, reason: event.data.reason } };
    case 'RecoveryCodeUsed':
      return { kind: 'recovery_code_used', facts: own };
    case 'PasskeyAdded':
      return { kind: 'passkey_added', facts: { ...own, name: event.data.name } };
    case 'PasskeyRemoved':
      return { kind: 'passkey_removed', facts: own };
    case 'RoleGiven':
      return { kind: 'role_given', facts: { role: event.data.role, deed: deedOf(event) } };
    case 'UserDisabled':
      return { kind: 'user_disabled', facts: { deed: deedOf(event) } };
    case 'UserEnabled':
      return { kind: 'user_enabled', facts: { deed: deedOf(event) } };
    case 'AdminRoleGiven':
      return { kind: 'admin_role_given', facts: { role: event.data.role, deed: deedOf(event) } };
    case 'AdminDisabled':
      return { kind: 'admin_disabled', facts: { reason: event.data.reason, deed: deedOf(event) } };
    case 'AdminEnabled':
      return { kind: 'admin_enabled', facts: { reason: event.data.reason, deed: deedOf(event) } };
    default:
      return null;
  }
}
