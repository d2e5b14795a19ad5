import { isoTime, type Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Actor } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { RealmName } from '../../vocabulary/realms';
import { timedId } from '../../vocabulary/ids';
import { browserFamily } from './browser-family';
import { networkOf } from './client-network';
import type { OpenSession } from './session-authentication';
import { PERSON_ACTORS, sessionContext } from './session-context';
import type { SessionDocument } from './session-document';
import type { SessionPolicyFacts } from './session-policy.events';
import type { SessionEnding } from './session.events';
import { SESSION_STREAMS } from './session.decider';
import { documentIdOf, newSessionSecret } from './session-secret';
import { isHeld, MAX_SESSIONS, seatsIn, type Seats, type SessionSeats, type StoredSeats } from './session-seats';
import { endOf, standing } from './session-standing';
import type { SeenPlaces, SignInPlaces } from './sign-in-places';
import type { Client, GivenSession, SessionStage, SignInMethod } from './signed-in';
import type { Seat, StoredSession, StoredSessions } from './stored-sessions';

const ID_BYTES = 10;
const USER_AGENT_LENGTH = 300;

/** The facts of a sign-in, from its first step on. */
export type SignInFacts = SessionCauser & {
  readonly sessionId: string;
  readonly userId: string;
  readonly merchantId: string | null;
  readonly method: SignInMethod;
  /** The user's epoch, read before the first factor was judged. */
  readonly epoch: number;
  readonly policy: SessionPolicyFacts;
};

/** The request that a step of a session comes from. */
type SessionCauser = { readonly client: Client; readonly requestId: string | null };
/** The request that a session's events come from, and the account. */
type EventCause = { readonly ip: string | null; readonly requestId: string | null; readonly merchantId: string | null };
/** `actor` is the one who ends a session; null for its own user. */
type EndCause = EventCause & { readonly actor: Actor | null };

/** Sessions of a user that end: all, one of them, or all but one. Each session is named by its id. */
export type EndedSessions = 'all' | { readonly only: string } | { readonly allBut: string };

/** The part of a user's sessions that is read already. `session` is null where none of them is. */
type KnownSessions = { readonly seats: StoredSeats; readonly session: StoredSession | null };

/** A step up. `secret` is the session's new one. */
type Renewal = { readonly action: string; readonly commandId: string; readonly secret: string };

type GrantingParts = {
  readonly realm: RealmName;
  readonly sessions: StoredSessions;
  readonly seats: SessionSeats;
  readonly places: SignInPlaces;
  readonly writePath: WritePath;
  readonly clock: Clock;
  readonly entropy: Entropy;
};

/** Gives sessions their secrets, and takes them away. The rules of who may have one stand with the callers. */
export class SessionGranting {
  constructor(private readonly parts: GrantingParts) {}

  newSessionId(): string {
    return timedId('ses', this.parts.clock.now(), this.parts.entropy.bytes(ID_BYTES));
  }

  /** A session that is not signed in yet. */
  async step(stage: Exclude<SessionStage, 'full'>, facts: SignInFacts): Promise<GivenSession> {
    if (stage === 'enrolment') await this.record(facts);
    return (await this.add(stage, facts)).given;
  }

  /** The step of the session is done: of two requests at once, one goes on. Throws Refusal session_revoked. */
  async finish(step: StoredSession): Promise<void> {
    if (!(await this.parts.sessions.end(step.id, 'replaced', step))) throw refuse('session_revoked');
  }

  /**
   * A full session. Where all seats are taken, it is one of the stage `choice`, or takes the oldest one's place where
   * `endsOldest`. Throws Refusal session_revoked where all sessions were ended meanwhile.
   */
  async full(facts: SignInFacts, known: StoredSeats, endsOldest = false): Promise<GivenSession> {
    const { userId, sessionId, epoch, policy } = facts;
    const knownSeats = seatsIn(known);
    const knownOpen = await this.seated(policy, knownSeats);
    if (!endsOldest && knownOpen.length >= MAX_SESSIONS) return this.step('choice', facts);
    await this.record(facts);
    const { id, given } = await this.add('full', facts);
    let ended: readonly StoredSession[] = [];
    const taken = await this.parts.seats.change(userId, known, async seats => {
      if (seats.epoch !== epoch) throw refuse('session_revoked');
      const open = seats === knownSeats ? knownOpen : await this.seated(policy, seats);
      const isFull = open.length >= MAX_SESSIONS;
      if (isFull && !endsOldest) return null;
      ended = isFull ? open.slice(0, 1) : [];
      const kept = open.slice(ended.length);
      return { epoch, seats: [...kept.map(seatOf), { session_id: sessionId, document: id }] };
    });
    if (taken === null) return this.step('choice', facts);
    await this.recordEnds(ended.map(seatOf), ended, 'oldest', { ...facts, ip: facts.client.ip, actor: null });
    return given;
  }

  /**
   * A full session goes on under `secret`, and the old one ends. The same form may have put the secret there already.
   * Throws Refusal session_revoked.
   */
  async renew(
    { session, seats: known }: OpenSession,
    { action, commandId, secret }: Renewal,
    { client: { ip }, requestId }: SessionCauser,
  ): Promise<GivenSession> {
    const { id: former, body } = session;
    const { user_id: userId, session_id: sessionId, merchant_id: merchantId } = body;
    const context = this.contextOf({ ip, requestId, merchantId }, this.actorOf(userId), commandId);
    await this.parts.writePath.execute(this.streams, sessionId, { type: 'step_up', action }, context);
    const document = documentOf(secret);
    await this.parts.sessions.add(document, { ...body, last_used_at: isoTime(this.parts.clock.now()) });
    const renewed = await this.parts.seats.change(userId, known, ({ epoch, seats }) => {
      if (!seats.some(seat => [former, document].includes(seat.document))) return null;
      return { epoch, seats: seats.map(seat => (seat.document === former ? { ...seat, document } : seat)) };
    });
    if (renewed === null) throw refuse('session_revoked');
    await this.parts.sessions.end(former, 'replaced', session);
    return { secret, sessionId, stage: body.stage, expiresAt: body.expires_at };
  }

  /** Ends sessions of the user. From then on no secret of them is taken. False where there are none. */
  async end(
    userId: string,
    { seats: known, session }: KnownSessions,
    which: EndedSessions,
    how: SessionEnding,
    cause: EndCause,
  ): Promise<boolean> {
    const only = onlyOf(which);
    let ended: readonly Seat[] = [];
    let read: readonly StoredSession[] = session === null ? [] : [session];
    await this.parts.seats.change(userId, known, ({ epoch, seats }) => {
      ended = seats.filter(seat => isAmong(which, seat));
      if (only !== null && ended.length === 0) return null;
      return { epoch: only === null ? epoch + 1 : epoch, seats: seats.filter(seat => !ended.includes(seat)) };
    });
    if (only !== null && ended.length === 0) {
      read = await this.parts.sessions.stepsOf(userId, only);
      ended = read.map(seatOf);
    }
    await this.recordEnds(ended, read, how, { ...cause, userId });
    return ended.length > 0;
  }

  /** The sessions of the seats that are open, the oldest first. `known` is one that is read already. */
  async seated(
    policy: SessionPolicyFacts,
    { epoch, seats }: Seats,
    known: StoredSession | null = null,
  ): Promise<readonly StoredSession[]> {
    const others = seats.map(({ document }) => document).filter(id => id !== known?.id);
    const stored = [...(await this.parts.sessions.ofIds(others)), ...(known === null ? [] : [known])];
    const byId = new Map(stored.map(session => [session.id, session]));
    const nowMs = this.parts.clock.now();
    return seats.flatMap(({ document }) => {
      const session = byId.get(document);
      if (!session) return [];
      const surroundings = { policy, isHeld: isHeld(session, { epoch, seats }), nowMs, ip: session.body.ip };
      return standing(session.body, surroundings) === 'open' ? [session] : [];
    });
  }

  private async add(stage: SessionStage, facts: SignInFacts): Promise<{ id: string; given: GivenSession }> {
    const { clock, entropy, sessions } = this.parts;
    const nowMs = clock.now();
    const secret = newSessionSecret(entropy);
    const id = documentOf(secret);
    const expiresAt = isoTime(endOf(stage, nowMs, facts.policy));
    const body: SessionDocument = {
      session_id: facts.sessionId,
      user_id: facts.userId,
      merchant_id: facts.merchantId,
      stage,
      method: facts.method,
      ip: facts.client.ip,
      user_agent: facts.client.userAgent.slice(0, USER_AGENT_LENGTH),
      created: isoTime(nowMs),
      last_used_at: isoTime(nowMs),
      expires_at: expiresAt,
      epoch: facts.epoch,
      ended: null,
    };
    await sessions.add(id, body);
    return { id, given: { secret, sessionId: facts.sessionId, stage, expiresAt } };
  }

  /**
   * Records that the session has begun, once. Its place is remembered after its event, or a process that died between
   * the two would leave a new place that nobody is told of.
   */
  private async record(facts: SignInFacts): Promise<void> {
    const { userId, sessionId, method, client } = facts;
    const { places, writePath } = this.parts;
    let seen: SeenPlaces | undefined;
    const place = { network: networkOf(client.ip), browser: browserFamily(client.userAgent) };
    const context = this.contextOf({ ...facts, ip: client.ip }, this.actorOf(userId), `${sessionId}/start`);
    const { events } = await writePath.executePlan(
      this.streams,
      sessionId,
      (_, isNewPlace: boolean) => {
        const start = { user_id: userId, method, place, is_new_place: isNewPlace };
        return { command: { type: 'start', start } as const, context };
      },
      context,
      {
        readsFirst: true,
        find: async () => {
          seen = await places.of(userId);
          return places.isNew(seen, place);
        },
      },
    );
    // A later step of the session finds the event of the first one, and may come from elsewhere.
    for (const event of events)
      if (event.type === 'SessionStarted') await places.remember(userId, event.data.place, seen);
  }

  /** The seats are gone already: their documents and events tell how. Some of the documents are read already. */
  private async recordEnds(
    ended: readonly Seat[],
    read: readonly StoredSession[],
    how: SessionEnding,
    cause: EndCause & { readonly userId: string },
  ): Promise<void> {
    const actor = cause.actor ?? this.actorOf(cause.userId);
    for (const { session_id: sessionId, document } of ended) {
      const known = read.find(({ id }) => id === document);
      await this.parts.sessions.end(document, how, known);
      const context = this.contextOf(cause, actor, `${sessionId}/end`);
      await this.parts.writePath.execute(this.streams, sessionId, { type: 'end', how }, context);
    }
  }

  private get streams() {
    return SESSION_STREAMS[this.parts.realm];
  }

  private actorOf(userId: string): Actor {
    return PERSON_ACTORS[this.parts.realm](userId);
  }

  private contextOf({ ip, requestId, merchantId }: EventCause, actor: Actor, commandId: string) {
    return sessionContext({ ip, requestId, merchantId, actor, commandId, nowMs: this.parts.clock.now() });
  }
}

function seatOf({ id, body }: StoredSession): Seat {
  return { session_id: body.session_id, document: id };
}

function documentOf(secret: string): string {
  const id = documentIdOf(secret);
  invariant(id !== null, 'a new secret has the form of a secret');
  return id;
}

function isAmong(which: EndedSessions, { session_id: id }: Seat): boolean {
  if (which === 'all') return true;
  return 'only' in which ? id === which.only : id !== which.allBut;
}

function onlyOf(which: EndedSessions): string | null {
  return which !== 'all' && 'only' in which ? which.only : null;
}
