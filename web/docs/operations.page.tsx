import { Fragment } from 'preact';
import { operationsOf, type ApiDocument, type LocatedOperation } from '../../src/platform/docs/api-document';
import { Json } from '../parts/code';
import { Name, Prose } from '../parts/prose';
import { Table } from '../parts/table';
import { accessOf } from './screens/access';
import { DocsPage, type DocsSite } from './screens/docs-page';
import { Fields } from './screens/fields';

/** The space between two sentences. */
const BETWEEN = /(?<=\.) (?=[A-Z])/;

type OperationsPageProps = { readonly site: DocsSite; readonly document: ApiDocument };

/** All operations by their tag, and the webhooks that the service sends by itself. */
export function OperationsPage({ site, document }: OperationsPageProps) {
  const { info, servers } = document;
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(tagOf))];
  const [lead = '', ...rules] = info.description.split(BETWEEN);
  return (
    <DocsPage site={site} title="API" place="Operations">
      <h1>API</h1>
      <p class="lead">{lead}</p>
      <Beginnings site={site} />
      <ul class="addresses">
        {servers.map(({ url, description = '' }) => (
          <li key={url}>
            The API answers at <code>{url}</code>
            {description !== '' && `, which ${description.charAt(0).toLowerCase()}${description.slice(1)}`}.
          </li>
        ))}
      </ul>
      <p>
        Version {info.version}. A key goes into the header <code>Authorization: Bearer KEY</code>. Access names the
        scope that the key needs.
      </p>
      <ul class="bullets">
        {rules.map(rule => (
          <li key={rule}>
            <Prose text={rule} />
          </li>
        ))}
      </ul>
      <nav class="on-page no-print" aria-label="Groups of operations">
        {[...tags, 'Webhooks sent'].map(tag => (
          <a key={tag} href={`#${idOf(tag)}`}>
            {tag}
          </a>
        ))}
      </nav>
      {tags.map(tag => (
        <Group
          key={tag}
          site={site}
          tag={tag}
          description={document.tags.find(({ name }) => name === tag)?.description ?? ''}
          operations={operations.filter(located => tagOf(located) === tag)}
        />
      ))}
      <Webhooks document={document} />
    </DocsPage>
  );
}

/** The guides, for readers who are here for the first time. */
function Beginnings({ site: { root, guides } }: { readonly site: DocsSite }) {
  if (guides.length === 0) return null;
  return (
    <p>
      Begin with a guide:{' '}
      {guides.map(({ name, text }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <a href={`${root}/${name}`}>{text}</a>
        </Fragment>
      ))}
      .
    </p>
  );
}

function tagOf({ operation }: LocatedOperation): string {
  return operation.tags[0] ?? 'Other';
}

function idOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

type GroupProps = {
  readonly site: DocsSite;
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly LocatedOperation[];
};

function Group({ site, tag, description, operations }: GroupProps) {
  return (
    <section aria-labelledby={idOf(tag)}>
      <h2 id={idOf(tag)}>{tag}</h2>
      {description !== '' && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <Table
        name={`Operations: ${tag}`}
        headings={['Operation', 'Effect', 'Access']}
        rows={operations.map(({ method, path, operation }) => [
          <a class="route" href={`${site.root}/operations/${operation.operationId}`}>
            <span class={`method ${method}`}>{method.toUpperCase()}</span>{' '}
            <code>
              <Name text={path} />
            </code>
          </a>,
          <Prose text={operation.summary} />,
          <Prose text={accessOf(operation)} />,
        ])}
      />
    </section>
  );
}

function Webhooks({ document: { webhooks, components } }: { readonly document: ApiDocument }) {
  const content = Object.values(webhooks)[0]?.post.requestBody?.content['application/json'];
  const id = idOf('Webhooks sent');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Webhooks sent</h2>
      <p>
        Posted to your endpoints, signed in <code>Service-Signature</code>:
      </p>
      <Table
        name="Types of webhooks"
        headings={['Type', 'Meaning']}
        rows={Object.entries(webhooks).map(([type, { post }]) => [
          <code>
            <Name text={type} />
          </code>,
          post.summary,
        ])}
      />
      {content && <Fields components={components} schema={content.schema} />}
      {content && <Json label="Example of a webhook's body" value={content.example} />}
    </section>
  );
}
