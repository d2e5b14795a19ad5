import { STATUS_CODES } from 'node:http';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorType } from '../../vocabulary/error-catalogue';
import type { Components } from './api-document';
import { ERROR_REMEDIES } from './error-remedies';
import { html, table, type Html } from './html';
import { definitions, jsonBlock, page, prose, type Page } from './page';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** The advice that follows from the type alone, which a client knows even of a code that is new to it. */
export const RETRY_ADVICE: Readonly<Record<ErrorType, string>> = {
  invalid_request_error: 'Not as it is: the same request will be refused again. Change it first.',
  payment_error: 'Only once something about the payment, its wallet or its route has changed.',
  idempotency_error: 'Not with this key: send the request under a new one.',
  api_error: 'Yes, with the same Idempotency-Key and growing pauses, unless the advice below says otherwise.',
};

/** Codes whose advice differs from their type's. */
const OWN_ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limit: 'Yes, after as many seconds as Retry-After says.',
  idempotency_key_in_use: 'Yes, after a moment and with the same Idempotency-Key.',
  request_aborted: 'Yes, with the same Idempotency-Key.',
  action_in_flight: 'Yes, once the execution under way has ended.',
  idempotency_record_corrupt: 'Not with this key: look first whether the original took effect.',
  idempotency_response_unavailable: 'No: fetch the object, or roll its secret.',
  idempotency_response_unreadable: 'No: fetch the object.',
  invalid_token_config: 'No: this deployment has to be mended.',
  invalid_config: 'No: this deployment has to be mended.',
};

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text);
}

export function retryAdvice(code: ErrorCode): string {
  return OWN_ADVICE[code] ?? RETRY_ADVICE[ERROR_CATALOGUE[code].type];
}

export function errorPage(root: string, code: string, examples: Components['examples']): Page {
  if (!isErrorCode(code)) return unknownPage(root, 'There is no such error code.');
  const { type, status, title } = ERROR_CATALOGUE[code];
  return page(root, code, [
    definitions({
      'What it means': title,
      'What to do': prose(ERROR_REMEDIES[code]),
      'Try again?': retryAdvice(code),
      Type: html`<code>${type}</code>`,
      Status: `${status} ${STATUS_CODES[status] ?? ''}`,
    }),
    html`<h2>Example</h2>`,
    jsonBlock(examples[code]?.value),
  ]);
}

export function errorListPage(root: string): Page {
  const types = Object.keys(RETRY_ADVICE) as ErrorType[];
  return page(root, 'Error codes', [
    html`<p>
      Every failed request answers one of these ${CODES.length} codes in its envelope. Branch on the type when a code is
      new to you.
    </p>`,
    types.map(type => typeSection(root, type)),
  ]);
}

export function unknownPage(root: string, message: string): Page {
  const ways = html`<a href="${root}">operations</a> and all <a href="${root}/errors">error codes</a>`;
  return page(root, 'Not found', html`<p>${message} The documentation lists all ${ways}.</p>`, 404);
}

function typeSection(root: string, type: ErrorType): Html {
  const rows = CODES.filter(code => ERROR_CATALOGUE[code].type === type).map(
    code =>
      html`<tr>
        <td>
          <a href="${root}/errors/${code}"><code>${code}</code></a>
        </td>
        <td>${ERROR_CATALOGUE[code].status}</td>
        <td>${ERROR_CATALOGUE[code].title}</td>
      </tr>`,
  );
  return html`<h2><code>${type}</code></h2>
    <p>Try again? ${RETRY_ADVICE[type]}</p>
    ${table(['Code', 'Status', 'What it means'], rows)}`;
}
