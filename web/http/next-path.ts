import type { PageRealm, PlacePath } from '../parts/page-realm';

/** A path below a place, with a query or without one: never another host, another scheme or a way up. */
const OWN = /^(?:\/[\w-][\w.:-]*)*(?:\?[\w.~%&=+*:/-]*)?$/;
const LENGTH_LIMIT = 512;

/** The page that a person wanted before signing in; null for a text that is no page of the place. */
export function ownPath({ place }: Pick<PageRealm, 'place'>, text: string | undefined): PlacePath | null {
  return text !== undefined && text.length <= LENGTH_LIMIT && isIn(place, text) ? text : null;
}

function isIn(place: PageRealm['place'], text: string): text is PlacePath {
  return text.startsWith(place) && OWN.test(text.slice(place.length));
}
