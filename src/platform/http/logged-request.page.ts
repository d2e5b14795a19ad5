import { isId } from '../../vocabulary/ids';
import { html, type Html } from '../docs/html';
import type { LoggedRequest } from '../request-log/logged-request';
import { plainPage } from './plain-page';

export function loggedRequestPage(request: LoggedRequest): string {
  const { request_headers, request_body, response_body, ...facts } = request;
  return plainPage(`Request ${request.request_id}`, [
    table(facts),
    html`<h2>Request headers</h2>`,
    table(request_headers),
    html`<h2>Request body</h2>`,
    body(request_body),
    html`<h2>Answer</h2>`,
    body(response_body),
    html`<p>Secrets are not kept, and long bodies are cut.</p>`,
  ]);
}

/**
 * The page for a browser, which shows no key: the way to read the log of a request. The page tells nothing of the log,
 * so it is the same for an id that exists and for one that does not. A text that is no id is not repeated, since the
 * reader is to copy a line into a shell.
 */
export function loggedRequestGuide(requestsUrl: string, asked: string): string {
  const id = isId('req', asked) ? asked : 'req_…';
  return plainPage(`How to read the log of ${id}`, [
    html`<p>The log of a request is shown to a key of the account and mode that the request belongs to.</p>`,
    html`<p>The key needs the scope <code>request_log:read</code>. With it in the variable KEY of a shell:</p>`,
    html`<pre>curl -H "Authorization: Bearer $KEY" '${requestsUrl}/${id}' -o request.html</pre>`,
    html`<p>Then open the file request.html.</p>`,
  ]);
}

function table(rows: Readonly<Record<string, string | number | null>>): Html {
  return html`<table>
    ${Object.entries(rows).map(
      ([name, value]) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${value ?? '–'}</td>
        </tr>`,
    )}
  </table>`;
}

function body(text: string | null): Html {
  return text === null ? html`<p>None.</p>` : html`<pre>${text}</pre>`;
}
