import { STATUS_CODES } from 'node:http';
import {
  resolve,
  type ApiDocument,
  type Components,
  type LocatedOperation,
  type Operation,
  type Parameter,
  type Response,
} from './api-document';
import { html, table, type Html, type HtmlValue } from './html';
import { definitions, jsonBlock, page, prose, type Page } from './page';
import { schemaView, typeOf } from './schema-view';

const JSON_TYPE = 'application/json';

export function operationPage(root: string, { components }: ApiDocument, located: LocatedOperation): Page {
  const { method, path, operation } = located;
  return page(root, operation.operationId, [
    html`<p><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>`,
    html`<p>${prose(operation.summary)}.</p>`,
    html`<p>${prose(operation.description)}</p>`,
    definitions({ Access: access(operation) }),
    parameterTable(components, operation),
    requestSection(components, operation),
    html`<h2>Answers</h2>`,
    Object.entries(operation.responses).map(([status, response]) => answerSection(root, components, status, response)),
    tryIt(components, located),
  ]);
}

export function access({ security: [requirement], 'x-required-scope': scope }: Operation): string {
  if (!requirement) return 'public';
  return scope === undefined ? 'any secret or restricted key' : `a key with the scope ${scope}`;
}

function parametersOf(components: Components, operation: Operation): readonly Parameter[] {
  return operation.parameters.map(parameter => resolve(components, parameter));
}

function parameterTable(components: Components, operation: Operation): HtmlValue {
  const rows = parametersOf(components, operation).map(
    ({ name, in: place, required, description = '', schema }) =>
      html`<tr>
        <td><code>${name}</code>${required ? null : html` <small>optional</small>`}</td>
        <td>${place}</td>
        <td>${typeOf(components, schema)}</td>
        <td>${prose(description)}</td>
      </tr>`,
  );
  if (rows.length === 0) return null;
  return html`<h2>Parameters</h2>
    ${table(['Name', 'In', 'Type', 'What it is'], rows)}`;
}

function requestSection(components: Components, { requestBody }: Operation): HtmlValue {
  if (!requestBody) return null;
  const { schema, example } = requestBody.content[JSON_TYPE];
  return html`<h2>Body</h2>
    ${schemaView(components, schema)} ${jsonBlock(example)}`;
}

function answerSection(root: string, components: Components, status: string, response: Response): Html {
  const { schema, example, examples } = response.content[JSON_TYPE];
  const heading = html`<h3>${status} ${STATUS_CODES[status] ?? ''}</h3>`;
  if (!examples) return html`${heading}${schemaView(components, schema)} ${jsonBlock(example)}`;
  const codes = Object.keys(examples).map(
    code =>
      html`<li>
        <a href="${root}/errors/${code}"><code>${code}</code></a> ${components.examples[code]?.summary ?? ''}
      </li>`,
  );
  return html`${heading}
    <ul>
      ${codes}
    </ul>`;
}

/** The form that the page's script sends; without the script it does nothing. */
function tryIt(components: Components, { method, path, operation }: LocatedOperation): Html {
  const fields = parametersOf(components, operation).map(
    ({ name, in: place, required }) =>
      html`<label
        >${name}<input name="${name}" data-in="${place}" autocomplete="off" ${required ? html`required` : null} />
      </label>`,
  );
  const content = operation.requestBody?.content[JSON_TYPE];
  const body = content && JSON.stringify(content.example ?? {}, null, 2);
  return html`<h2>Try it</h2>
    <form class="try-it" data-method="${method.toUpperCase()}" data-path="${path}">
      ${
        operation.security.length > 0
          ? html`<label>API key <input name="key" data-in="key" type="password" autocomplete="off" /></label>`
          : null
      }
      ${fields}
      ${body ? html`<label>Body <textarea name="body" data-in="body" rows="12">${body}</textarea></label>` : null}
      <button>Send</button>
      <output aria-live="polite"></output>
    </form>`;
}
