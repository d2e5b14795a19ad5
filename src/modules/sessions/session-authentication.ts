import { parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { Person, SessionOwner } from './person';
import { isHeld, seatsIn, type SessionSeats, type StoredSeats } from './session-seats';
import { isUseWritten, STANDING_REFUSALS, standing } from './session-standing';
import type { Client } from './signed-in';
import type { Seat, StoredSession, StoredSessions } from './stored-sessions';

/** A browser that sends a form twice sends the second one within so long. */
const REPEATED_WITHIN_MS = 10 * SECOND_MS;

/**
 * A session that is open, as the request of its cookie has read it. The request's commands start from these facts: a
 * write over them fails where the session has changed since.
 */
export type OpenSession<P extends Person = Person> = {
  readonly session: StoredSession;
  /** The seats of the session's user. */
  readonly seats: StoredSeats;
  readonly person: P;
};

/**
 * The reason of the question. `use`: a request, which keeps the session from falling idle. `look`: an open page looks
 * anew by itself, which is no activity. `risky_form`: a form whose first sending may have replaced the secret.
 */
export type Authentication = 'use' | 'look' | 'risky_form';

/** Finds the session of a cookie. Roles, accounts and policies count as they are at this moment. */
export class SessionAuthentication<P extends Person = Person> {
  constructor(
    private readonly sessions: StoredSessions,
    private readonly seats: SessionSeats,
    private readonly people: { readonly ofSession: (owner: SessionOwner) => Promise<P> },
    private readonly clock: Clock,
  ) {}

  /**
   * A risky form may show a secret that was replaced within the last seconds: the answer is then the session under its
   * newest secret. Throws Refusal unknown_session, session_expired, session_revoked, account_disabled or
   * session_ip_mismatch, in this order.
   */
  async find(secret: string, { ip }: Client, asking: Authentication): Promise<OpenSession<P>> {
    const shown = await this.sessions.find(secret);
    if (shown === null) throw refuse('unknown_session');
    const [seats, person] = await Promise.all([this.seats.of(shown.body.user_id), this.people.ofSession(shown.body)]);
    const newer = asking === 'risky_form' ? this.newerSeat(shown, seats) : null;
    const [session] = newer === null ? [shown] : await this.sessions.ofIds([newer.document]);
    if (!session) throw refuse('session_revoked');
    const open = { session, seats, person };
    this.check(open, ip, false);
    // A secret that was replaced keeps nothing awake.
    return asking === 'look' || newer !== null ? open : this.used(open);
  }

  /** The same session with its person as of now, who has enrolled an authenticator just now. Throws as `find` does. */
  async afterEnrolment(open: OpenSession, { ip }: Client): Promise<OpenSession<P>> {
    const again = { ...open, person: await this.people.ofSession(open.session.body) };
    this.check(again, ip, true);
    return again;
  }

  /** The seat of the session whose secret has just taken the place of this one; null where none has. */
  private newerSeat({ id, body: { stage, session_id: sessionId, ended } }: StoredSession, seats: StoredSeats) {
    // The seat is renewed before the former secret's document ends.
    const isRecent = ended === null || isJustReplaced(ended, this.clock.now());
    if (stage !== 'full' || !isRecent) return null;
    const isNewer = (seat: Seat) => seat.session_id === sessionId && seat.document !== id;
    return seatsIn(seats).seats.find(isNewer) ?? null;
  }

  /** `hasEnrolled`: the session itself may have enrolled the user's authenticator just now. */
  private check({ session, seats, person }: OpenSession, ip: string | null, hasEnrolled: boolean): void {
    const isItsUsers = isHeld(session, seatsIn(seats));
    const surroundings = { policy: person.policy, isHeld: isItsUsers, nowMs: this.clock.now(), ip };
    const state = standing(session.body, surroundings);
    if (state === 'ended' || state === 'expired') throw refuse(STANDING_REFUSALS[state]);
    // A person who has taken another merchant's invitation is a stranger to this one.
    const isTheirs = person.isActive && person.merchantId === session.body.merchant_id;
    if (!isTheirs || (!hasEnrolled && isOvertaken(session, person))) throw refuse('session_revoked');
    if (person.isAccountDisabled) throw refuse('account_disabled');
    if (state !== 'open') throw refuse(STANDING_REFUSALS[state]);
  }

  /** Keeps the session from falling idle. */
  private async used(open: OpenSession<P>): Promise<OpenSession<P>> {
    const { session, person } = open;
    if (!isUseWritten(session.body, person.policy, this.clock.now())) return open;
    return { ...open, session: await this.sessions.noteUse(session) };
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
