import type { Document } from '../../../kernel/ports/documents';
import type { OpenInvitation } from '../mailed-tokens';
import type { UserDocument } from '../users.read-model';

/** A person of a merchant, without secrets. All times are ISO-8601 UTC. */
export type ListedUser = Pick<
  UserDocument,
  'email' | 'name' | 'role' | 'status' | 'email_verified_at' | 'totp_enrolled_at' | 'recovery_codes_left' | 'created'
> & {
  readonly id: string;
  readonly passkey_count: number;
};

export function shown({ id, body }: Document<UserDocument>): ListedUser {
  const { email, name, role, status, email_verified_at, totp_enrolled_at, recovery_codes_left, created } = body;
  const facts = { email, name, role, status, email_verified_at, totp_enrolled_at, recovery_codes_left, created };
  return { id, ...facts, passkey_count: body.passkeys.length };
}

/** An invited person whose address another merchant has invited since: both links work, and the person chooses. */
export function shownInvitation({ user_id: id, email, role, made_at: created }: OpenInvitation): ListedUser {
  const nothingYet = { name: null, email_verified_at: null, totp_enrolled_at: null, recovery_codes_left: 0 };
  return { id, email, role, created, ...nothingYet, status: 'invited', passkey_count: 0 };
}
