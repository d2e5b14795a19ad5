import { DAY_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import type { SessionPlace } from './session.events';

/** A place that was not seen for so long is new again. */
const PLACE_KEPT_MS = 90 * DAY_MS;
/** Places of a user; the one that was seen longest ago goes. */
const MAX_PLACES = 50;
const GUARDED_TRIES = 16;

type Places = { readonly places: readonly (SessionPlace & { readonly seen_at: string })[] };

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

  /** Remembers the place, and answers whether it is new. */
  async see(userId: string, place: SessionPlace): Promise<boolean> {
    let isNew = true;
    for await (const { standing, write } of guardedTries(this.users, userId, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const known = (standing?.places ?? []).filter(each => nowMs - parseIsoTime(each.seen_at) < PLACE_KEPT_MS);
      const others = known.filter(each => each.network !== place.network || each.browser !== place.browser);
      isNew = others.length === known.length;
      const places = [...others, { ...place, seen_at: isoTime(nowMs) }].slice(-MAX_PLACES);
      if (await write({ places })) break;
    }
    return isNew;
  }
}
