import { parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { Person, SessionOwner } from './person';
import { isHeld, type SessionSeats } from './session-seats';
import { isUseWritten, STANDING_REFUSALS, standing } from './session-standing';
import type { Client } from './signed-in';
import type { StoredSession, StoredSessions } from './stored-sessions';

/** A browser that sends a form twice sends the second one within so long. */
const REPEATED_WITHIN_MS = 10 * SECOND_MS;

/** A session that is open, with its person. */
export type OpenSession<P extends Person = Person> = { readonly session: StoredSession; readonly person: P };

/** Finds the session of a cookie. Roles, accounts and policies count as they are at this moment. */
export class SessionAuthentication<P extends Person = Person> {
  constructor(
    private readonly sessions: StoredSessions,
    private readonly seats: SessionSeats,
    private readonly people: { readonly ofSession: (owner: SessionOwner) => Promise<P> },
    private readonly clock: Clock,
  ) {}

  /**
   * Throws Refusal unknown_session, session_expired, session_revoked, account_disabled or session_ip_mismatch, in this
   * order. `hasEnrolled`: the session itself may have enrolled the user's authenticator just now.
   */
  async find(secret: string, { ip }: Client, hasEnrolled = false): Promise<OpenSession<P>> {
    const session = await this.sessions.find(secret);
    if (session === null) throw refuse('unknown_session');
    return this.open(session, ip, hasEnrolled);
  }

  /**
   * The session that has got a new secret in the place of this one within the last seconds. Throws Refusal
   * session_revoked for a secret that was not replaced so, and the refusals of `find`.
   */
  async findReplaced(secret: string, { ip }: Client): Promise<OpenSession<P>> {
    const former = await this.sessions.find(secret);
    if (former?.body.stage !== 'full') throw refuse('session_revoked');
    const { user_id: userId, session_id: sessionId, ended } = former.body;
    // The seat is renewed before the former secret's document ends.
    const isRecent = ended === null || isJustReplaced(ended, this.clock.now());
    const seat = (await this.seats.of(userId)).seats.find(({ session_id }) => session_id === sessionId);
    if (!isRecent || !seat || seat.document === former.id) throw refuse('session_revoked');
    const [present] = await this.sessions.ofIds([seat.document]);
    if (!present) throw refuse('session_revoked');
    return this.open(present, ip, false);
  }

  private async open(session: StoredSession, ip: string | null, hasEnrolled: boolean): Promise<OpenSession<P>> {
    const { user_id: userId, merchant_id: merchantId } = session.body;
    const [seats, person] = await Promise.all([this.seats.of(userId), this.people.ofSession(session.body)]);
    const surroundings = { policy: person.policy, isHeld: isHeld(session, seats), nowMs: this.clock.now(), ip };
    const state = standing(session.body, surroundings);
    if (state === 'ended' || state === 'expired') throw refuse(STANDING_REFUSALS[state]);
    // A person who has taken another merchant's invitation is a stranger to this one.
    const isTheirs = person.isActive && person.merchantId === merchantId;
    if (!isTheirs || (!hasEnrolled && isOvertaken(session, person))) throw refuse('session_revoked');
    if (person.isAccountDisabled) throw refuse('account_disabled');
    if (state !== 'open') throw refuse(STANDING_REFUSALS[state]);
    return { session, person };
  }

  /** Keeps the session from falling idle. */
  async noteUse({ session, person }: OpenSession): Promise<void> {
    if (isUseWritten(session.body, person.policy, this.clock.now())) await this.sessions.noteUse(session);
  }
}

function isJustReplaced({ how, at }: NonNullable<StoredSession['body']['ended']>, nowMs: number): boolean {
  return how === 'replaced' && Math.abs(nowMs - parseIsoTime(at)) < REPEATED_WITHIN_MS;
}

/**
 * A password alone begins the enrolment of a user without an authenticator. Once an authenticator is enrolled, no other
 * session that has begun so can replace it.
 */
export function isOvertaken(
  { body: { stage, created } }: StoredSession,
  { totpEnrolledAt: enrolledAt }: Person,
): boolean {
  return stage === 'enrolment' && enrolledAt !== null && parseIsoTime(enrolledAt) > parseIsoTime(created);
}
