import type { RealmName } from '../../vocabulary/realms';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const SECRET = /^[\w-]{16,128}$/;

/** The cookie of one kind of sessions, which holds a session's secret. */
class SessionCookie {
  constructor(readonly name: string) {}

  /** The session's secret in a request's cookies; null where there is none, or more than one. */
  secretIn(header: string | undefined): string | null {
    const pairs = (header ?? '').split(';').map(pair => pair.trim());
    const values = pairs.filter(pair => pair.startsWith(`${this.name}=`)).map(pair => pair.slice(this.name.length + 1));
    const [value] = values;
    return values.length === 1 && value !== undefined && SECRET.test(value) ? value : null;
  }

  of(secret: string): string {
    return `${this.name}=${secret}; ${ATTRIBUTES}`;
  }

  /** Has the browser forget the cookie. */
  get gone(): string {
    return `${this.name}=; ${ATTRIBUTES}; Max-Age=0`;
  }
}

/** The prefix has browsers keep a cookie to this very host, over a secure way, for all its paths. */
export const USER_COOKIE = new SessionCookie('__Host-qt_session');
export const ADMIN_COOKIE = new SessionCookie('__Host-qt_admin');
export const COOKIES: Readonly<Record<RealmName, SessionCookie>> = { merchant: USER_COOKIE, admin: ADMIN_COOKIE };
