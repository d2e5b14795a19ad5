/** The prefix has browsers keep the cookie to this very host, over a secure way, for all its paths. */
const NAME = '__Host-qt_session';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const SECRET = /^[\w-]{16,128}$/;

/** The session's secret in a request's cookies; null where there is none, or more than one. */
export function sessionSecretIn(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map(pair => pair.trim());
  const values = pairs.filter(pair => pair.startsWith(`${NAME}=`)).map(pair => pair.slice(NAME.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && SECRET.test(value) ? value : null;
}

export function sessionCookie(secret: string): string {
  return `${NAME}=${secret}; ${ATTRIBUTES}`;
}

/** Has the browser forget the cookie. */
export const NO_SESSION_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;
