import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { MailKind } from '../../kernel/ports/mail-kinds';
import type { SessionEvent } from '../../modules/sessions/session.events';
import type { UserEvent } from '../../modules/users/user.events';
import { originOf } from './access-notices';

export type PeopleEvent = UserEvent | SessionEvent;

/** A mail to the person whom it is about. */
type PersonalNotice = { readonly userId: string; readonly mail: MailKind };

/** The mail that an event of a person's sign-in asks for, from the event alone. */
export function personalNoticeOf(event: RecordedEvent<PeopleEvent>): PersonalNotice | null {
  if (event.type === 'SessionStarted') {
    const { user_id: userId, method, place, is_new_place: isNewPlace } = event.data;
    const { ip, occurred_at: at } = event.metadata;
    return isNewPlace ? { userId, mail: { kind: 'signed_in_anew', facts: { method, ...place, ip, at } } } : null;
  }
  const mail = mailOf(event);
  return mail && { userId: parseStreamName(event.stream).id, mail };
}

function mailOf(event: RecordedEvent<PeopleEvent>): MailKind | null {
  const origin = originOf(event);
  switch (event.type) {
    case 'PasswordChanged':
      return { kind: 'password_changed', facts: { reason: event.data.reason, origin } };
    case 'TotpEnrolled':
      return { kind: 'authenticator_enrolled', facts: { origin } };
    case 'RecoveryCodeUsed':
      return { kind: 'recovery_code_used', facts: { origin } };
    case 'PasskeyAdded':
      return { kind: 'passkey_added', facts: { name: event.data.name, origin } };
    case 'PasskeyRemoved':
      return { kind: 'passkey_removed', facts: { origin } };
    default:
      return null;
  }
}
