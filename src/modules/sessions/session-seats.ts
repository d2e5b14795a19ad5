import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';
import type { RealmName } from '../../vocabulary/realms';
import type { Seat, StoredSession } from './stored-sessions';

/** Full sessions that a user has at once. */
export const MAX_SESSIONS = 5;
/** Every round of a race lets one request through. */
const GUARDED_TRIES = 32;

export type Seats = {
  /** Rises when all of the user's sessions end, so that none whose sign-in is under way comes after that. */
  readonly epoch: number;
  /** The oldest first. */
  readonly seats: readonly Seat[];
};

/** The seats as they were read; null for a user who never had one. */
export type StoredSeats = Document<Seats> | null;

const SESSION_SEATS: Readonly<Record<RealmName, CollectionSpec>> = {
  merchant: { name: 'session_seats', indexes: {} },
  admin: { name: 'admin_session_seats', indexes: {} },
};
const NO_SEATS: Seats = { epoch: 0, seats: [] };

/**
 * The full sessions of each user, in one guarded document, so that no race makes one too many. A session that loses its
 * seat there has ended.
 */
export class SessionSeats {
  private constructor(private readonly users: Collection<Seats>) {}

  static async open(documents: Documents, realm: RealmName): Promise<SessionSeats> {
    return new SessionSeats(await documents.open<Seats>(SESSION_SEATS[realm]));
  }

  of(userId: string): Promise<StoredSeats> {
    return this.users.get(userId);
  }

  /**
   * Puts the seats that `plan` makes of the present ones, and answers them; null where `plan` wants none. The first try
   * starts from `known`, and each further one from seats that are read anew. A plan that wants none of the known seats
   * is asked once more. Throws Refusal provider_unavailable where others change the seats all the time.
   */
  async change(
    userId: string,
    known: StoredSeats,
    plan: (seats: Seats) => Promise<Seats | null> | Seats | null,
  ): Promise<Seats | null> {
    let isKnown = true;
    for await (const { standing, write } of guardedTries(this.users, userId, GUARDED_TRIES, known)) {
      const body = await plan(standing ?? NO_SEATS);
      if (body !== null && (await write(body))) return body;
      if (body === null && !isKnown) return null;
      isKnown = false;
    }
    throw refuse('provider_unavailable', { message: 'The sessions of this user are changing at this moment.' });
  }
}

export function seatsIn(stored: StoredSeats): Seats {
  return stored?.body ?? NO_SEATS;
}

/** Whether the session is still the user's: a full one by its seat, any other by its epoch. */
export function isHeld({ id, body }: StoredSession, { epoch, seats }: Seats): boolean {
  return body.stage === 'full' ? seats.some(({ document }) => document === id) : body.epoch === epoch;
}
