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
import { PERSON_ACTORS, sessionContext } from './session-context';
import type { SessionDocument } from './session-document';
import type { SessionPolicyFacts } from './session-policy.events';
import type { SessionEnding } from './session.events';
import { SESSION_STREAMS } from './session.decider';
import { documentIdOf, newSessionSecret } from './session-secret';
import { isHeld, MAX_SESSIONS, type Seats, type SessionSeats } from './session-seats';
import { endOf, standing } from './session-standing';
import type { SignInPlaces } from './sign-in-places';
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
    if (!(await this.parts.sessions.end(step.id, 'replaced'))) throw refuse('session_revoked');
  }

  /**
   * A full session. Where all seats are taken, it is one of the stage `choice`, or takes the oldest one's place where
   * `endsOldest`. Throws Refusal session_revoked where all sessions were ended meanwhile.
   */
  async full(facts: SignInFacts, endsOldest = false): Promise<GivenSession> {
    const { userId, sessionId, epoch, policy } = facts;
    if (!endsOldest && (await this.open(policy, await this.parts.seats.of(userId))).length >= MAX_SESSIONS)
      return this.step('choice', facts);
    await this.record(facts);
    const { id, given } = await this.add('full', facts);
    let ended: Seat | null = null;
    const taken = await this.parts.seats.change(userId, async seats => {
      if (seats.epoch !== epoch) throw refuse('session_revoked');
      const open = (await this.open(policy, seats)).map(seatOf);
      const isFull = open.length >= MAX_SESSIONS;
      if (isFull && !endsOldest) return null;
      ended = isFull ? (open[0] ?? null) : null;
      const kept = open.filter(seat => seat !== ended);
      return { epoch, seats: [...kept, { session_id: sessionId, document: id }] };
    });
    if (taken === null) return this.step('choice', facts);
    if (ended !== null) await this.recordEnds([ended], 'oldest', { ...facts, ip: facts.client.ip, actor: null });
    return given;
  }

  /** A full session goes on under `secret`, and the old one ends. Throws Refusal session_revoked. */
  async renew(
    { id: former, body }: StoredSession,
    { action, commandId, secret }: Renewal,
    { client: { ip }, requestId }: SessionCauser,
  ): Promise<GivenSession> {
    const { user_id: userId, session_id: sessionId, merchant_id: merchantId } = body;
    const context = this.contextOf({ ip, requestId, merchantId }, this.actorOf(userId), commandId);
    await this.parts.writePath.execute(this.streams, sessionId, { type: 'step_up', action }, context);
    const document = documentOf(secret);
    await this.parts.sessions.add(document, { ...body, last_used_at: isoTime(this.parts.clock.now()) });
    const renewed = await this.parts.seats.change(userId, ({ epoch, seats }) => {
      if (!seats.some(seat => seat.document === former)) return null;
      return { epoch, seats: seats.map(seat => (seat.document === former ? { ...seat, document } : seat)) };
    });
    if (renewed === null) throw refuse('session_revoked');
    await this.parts.sessions.end(former, 'replaced');
    return { secret, stage: body.stage, expiresAt: body.expires_at };
  }

  /** Ends sessions of the user. From then on no secret of them is taken. False where there are none. */
  async end(userId: string, which: EndedSessions, how: SessionEnding, cause: EndCause): Promise<boolean> {
    const only = onlyOf(which);
    let ended: readonly Seat[] = [];
    await this.parts.seats.change(userId, ({ epoch, seats }) => {
      ended = seats.filter(seat => isAmong(which, seat));
      if (only !== null && ended.length === 0) return null;
      return { epoch: only === null ? epoch + 1 : epoch, seats: seats.filter(seat => !ended.includes(seat)) };
    });
    if (only !== null && ended.length === 0) ended = await this.parts.sessions.stepsOf(userId, only);
    await this.recordEnds(ended, how, { ...cause, userId });
    return ended.length > 0;
  }

  /** The sessions of the seats that are open, the oldest first. */
  async open(policy: SessionPolicyFacts, { epoch, seats }: Seats): Promise<readonly StoredSession[]> {
    const stored = await this.parts.sessions.ofIds(seats.map(({ document }) => document));
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
    return { id, given: { secret, stage, expiresAt } };
  }

  /**
   * Records that the session has begun, once. Its place is remembered after its event, or a process that died between
   * the two would leave a new place that nobody is told of.
   */
  private async record(facts: SignInFacts): Promise<void> {
    const { userId, sessionId, method, client } = facts;
    const { places, writePath } = this.parts;
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
      { readsFirst: true, find: () => places.isNew(userId, place) },
    );
    // A later step of the session finds the event of the first one, and may come from elsewhere.
    for (const event of events) if (event.type === 'SessionStarted') await places.remember(userId, event.data.place);
  }

  /** The seats are gone already: these documents and events tell how. */
  private async recordEnds(
    ended: readonly Seat[],
    how: SessionEnding,
    cause: EndCause & { readonly userId: string },
  ): Promise<void> {
    const actor = cause.actor ?? this.actorOf(cause.userId);
    for (const { session_id: sessionId, document } of ended) {
      await this.parts.sessions.end(document, how);
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
