import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import type { ErrorCode } from '../../vocabulary/errors';
import { html } from '../docs/html';
import { plainPage } from './plain-page';

/** The statuses of a key that does not open a page. */
const KEY_REFUSED: readonly number[] = [401, 403];
const HOW_TO_ENTER =
  'The page needs a key of the account and mode of its request, with the scope request_log:read, in the header Authorization: Bearer ….';

/**
 * A refusal as a page. The page depends on the code alone, so an unknown object and another merchant's object give the
 * same bytes.
 */
export function faultPage(code: ErrorCode, docsUrl: string): string {
  const { status, title } = ERROR_CATALOGUE[code];
  const hint = KEY_REFUSED.includes(status) ? [html`<p>${HOW_TO_ENTER}</p>`] : [];
  const explained = html`<a href="${docsUrl}/errors/${code}">${code}</a>`;
  return plainPage(`${status} ${code}`, [
    html`<p>${title}</p>`,
    ...hint,
    html`<p>The <a href="${docsUrl}">documentation</a> tells what to do about ${explained}.</p>`,
  ]);
}
