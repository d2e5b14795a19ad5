import type { Reply } from '../support/http-caller';

const REFUSED = 400;
const ALERT = /role="alert"[^>]*>([\s\S]{0,600})/;
const WORDS = 120;

/** Nothing where the request was taken; else its name, the status, and the start of the page's alert. */
export function refusalsOf(name: string, { status, body }: Reply): readonly string[] {
  if (status < REFUSED) return [];
  const alert = ALERT.exec(body)?.[1] ?? body;
  const words = alert
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [`${name}: ${status} ${words.slice(0, WORDS)}`];
}
