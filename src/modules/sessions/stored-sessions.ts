import { DAY_MS, isoTime, type Clock } from '../../kernel/clock';
import type { Collection, Document, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import type { RealmName } from '../../vocabulary/realms';
import { SESSIONS, type SessionDocument } from './session-document';
import { documentIdOf } from './session-secret';

/** Two writers of one document are a person's two requests. */
const GUARDED_TRIES = 16;
/** A session that has ended by itself is known for so long, so that the answer says it has. */
const KEPT_AFTER_END_MS = DAY_MS;
/** Each new document removes several old ones, so they never pile up. */
const CLEANED_AT_A_TIME = 16;

/** A sign-in has three documents at most before its session is full. */
const STEPS_OF_A_SESSION = 10;

/** A session, with the document of its present secret. */
export type Seat = { readonly session_id: string; readonly document: string };
export type StoredSession = Document<SessionDocument>;

/** The documents of sessions. None of them holds a secret: a document's id is its secret's SHA-256. */
export class StoredSessions {
  private constructor(
    private readonly sessions: Collection<SessionDocument>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock, realm: RealmName): Promise<StoredSessions> {
    return new StoredSessions(await documents.open<SessionDocument>(SESSIONS[realm]), clock);
  }

  async find(secret: string): Promise<StoredSession | null> {
    const id = documentIdOf(secret);
    return id === null ? null : this.sessions.get(id);
  }

  /** At most some: a user's seats name few. */
  ofIds(ids: readonly string[]): Promise<readonly StoredSession[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.sessions.getAll(ids);
  }

  /** A form that is sent again may have made the document before, which then stays as it is. */
  async add(id: string, body: SessionDocument): Promise<void> {
    await this.sessions.insert({ id, version: 1, body });
    await this.clean();
  }

  /**
   * Answers the document with its use. Another request may have written a use, or an end, meanwhile: this one is then
   * of no importance.
   */
  async noteUse(standing: StoredSession): Promise<StoredSession> {
    const { id, version, body } = standing;
    const used = { id, version: version + 1, body: { ...body, last_used_at: isoTime(this.clock.now()) } };
    return (await this.sessions.replace(used, version)) ? used : standing;
  }

  /**
   * Whether this very call has ended the document: one of several calls at once does. `known`: the document as it was
   * read before.
   */
  async end(id: string, how: NonNullable<SessionDocument['ended']>['how'], known?: StoredSession): Promise<boolean> {
    for await (const { standing, write } of guardedTries(this.sessions, id, GUARDED_TRIES, known)) {
      if (!standing || standing.ended !== null) return false;
      if (await write({ ...standing, ended: { how, at: isoTime(this.clock.now()) } })) return true;
    }
    return false;
  }

  /** The session's documents of stages before the full one, which have no seat, where they are the user's. */
  async stepsOf(userId: string, sessionId: string): Promise<readonly StoredSession[]> {
    const query = { index: 'by_session', equals: { session_id: sessionId }, limit: STEPS_OF_A_SESSION };
    return (await this.sessions.list(query)).filter(
      ({ body }) => body.user_id === userId && body.stage !== 'full' && body.ended === null,
    );
  }

  private async clean(): Promise<void> {
    const to = isoTime(this.clock.now() - KEPT_AFTER_END_MS);
    const old = await this.sessions.list({ index: 'by_end', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.sessions.deleteUpTo(id, version)));
  }
}
