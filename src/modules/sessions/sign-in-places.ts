import { DAY_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import type { SessionPlace } from './session.events';

/** A place that was not seen for so long is new again. */
const PLACE_KEPT_MS = 90 * DAY_MS;
/** Places of a user; the one that was seen longest ago goes. */
const MAX_PLACES = 50;
const GUARDED_TRIES = 16;

type Places = { readonly places: readonly (SessionPlace & { readonly seen_at: string })[] };

/** The places of a user as they were read; null for a user without any. */
export type SeenPlaces = Document<Places> | null;

const SIGN_IN_PLACES: CollectionSpec = { name: 'sign_in_places', indexes: {} };

/** The places that users have signed in from. */
export class SignInPlaces {
  private constructor(
    private readonly users: Collection<Places>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<SignInPlaces> {
    return new SignInPlaces(await documents.open<Places>(SIGN_IN_PLACES), clock);
  }

  of(userId: string): Promise<SeenPlaces> {
    return this.users.get(userId);
  }

  /** The user has not signed in from this place within the last 90 days. */
  isNew(seen: SeenPlaces, place: SessionPlace): boolean {
    return !this.keptOf(seen?.body ?? null).some(each => isSame(each, place));
  }

  async remember(userId: string, place: SessionPlace, seen?: SeenPlaces): Promise<void> {
    for await (const { standing, write } of guardedTries(this.users, userId, GUARDED_TRIES, seen)) {
      const others = this.keptOf(standing).filter(each => !isSame(each, place));
      const places = [...others, { ...place, seen_at: isoTime(this.clock.now()) }].slice(-MAX_PLACES);
      if (await write({ places })) return;
    }
  }

  private keptOf(standing: Places | null): Places['places'] {
    const nowMs = this.clock.now();
    return (standing?.places ?? []).filter(each => nowMs - parseIsoTime(each.seen_at) < PLACE_KEPT_MS);
  }
}

function isSame(one: SessionPlace, other: SessionPlace): boolean {
  return one.network === other.network && one.browser === other.browser;
}
