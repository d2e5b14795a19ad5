import { operationsOf, type ApiDocument, type LocatedOperation } from './api-document';
import { html, table, type Html } from './html';
import { access } from './operation-page';
import { jsonBlock, page, prose, type Page } from './page';
import { schemaView } from './schema-view';

/** All operations by their tag, and the webhooks that the service sends by itself. */
export function operationsPage(root: string, document: ApiDocument): Page {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(tagOf))];
  return page(root, 'API', [
    html`<p>${prose(document.info.description)}</p>`,
    html`<ul>
      ${document.servers.map(({ url, description = '' }) => html`<li><code>${url}</code> ${description}</li>`)}
    </ul>`,
    html`<p>Version ${document.info.version}. A key goes into the header <code>Authorization: Bearer …</code>.</p>`,
    tags.map(tag =>
      section(
        root,
        tag,
        operations.filter(located => tagOf(located) === tag),
      ),
    ),
    html`<h2>Webhooks</h2>
      <p>Posted to your endpoints, signed in <code>Service-Signature</code>:</p>
      <ul>
        ${Object.entries(document.webhooks).map(([type, { post }]) => html`<li><code>${type}</code> ${post.summary}</li>`)}
      </ul>`,
    webhookBody(document),
  ]);
}

function tagOf({ operation }: LocatedOperation): string {
  return operation.tags[0] ?? 'Other';
}

function section(root: string, tag: string, operations: readonly LocatedOperation[]): Html {
  const rows = operations.map(
    ({ method, path, operation }) =>
      html`<tr>
        <td><span class="method">${method.toUpperCase()}</span></td>
        <td>
          <a href="${root}/operations/${operation.operationId}"><code>${path}</code></a>
        </td>
        <td>${prose(operation.summary)}</td>
        <td>${access(operation)}</td>
      </tr>`,
  );
  return html`<h2>${tag}</h2>
    ${table(['Method', 'Path', 'What it does', 'Access'], rows)}`;
}

function webhookBody({ webhooks, components }: ApiDocument): Html | null {
  const content = Object.values(webhooks)[0]?.post.requestBody?.content['application/json'];
  return content ? html`${schemaView(components, content.schema)} ${jsonBlock(content.example)}` : null;
}
