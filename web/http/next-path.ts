/** A path of the dashboard, with a query or without one: never another host, another scheme or a way up. */
const OWN = /^\/dashboard(?:\/[\w-]+)*(?:\?[\w.~%&=+*:/-]*)?$/;
const LENGTH_LIMIT = 512;

/** The page that a person wanted before signing in; null for a text that is no page of the dashboard. */
export function ownPath(text: string | undefined): `/dashboard${string}` | null {
  return text !== undefined && text.length <= LENGTH_LIMIT && isOwn(text) ? text : null;
}

function isOwn(text: string): text is `/dashboard${string}` {
  return OWN.test(text);
}
