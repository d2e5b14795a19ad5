import { STATUS_CODES } from 'node:http';
import {
  MEDIA_TYPES,
  resolve,
  type ApiDocument,
  type Components,
  type LocatedOperation,
  type MediaType,
  type MediaTypeName,
  type Operation,
  type Parameter,
} from '../../src/platform/docs/api-document';
import { typeOf } from '../../src/platform/docs/schema-fields';
import { Code, Json } from '../parts/code';
import { Name, Prose } from '../parts/prose';
import { Table } from '../parts/table';
import { DocsPage, type DocsSite } from './screens/docs-page';
import { FieldName, Fields } from './screens/fields';
import { TryIt } from './screens/try-it';

type OperationPageProps = {
  readonly site: DocsSite;
  readonly document: ApiDocument;
  readonly located: LocatedOperation;
};

export function OperationPage({ site, document: { components }, located }: OperationPageProps) {
  const { method, path, operation } = located;
  const parameters = operation.parameters.map(parameter => resolve(components, parameter));
  return (
    <DocsPage site={site} title={operation.operationId} place="Operations">
      <h1>
        <Name text={operation.operationId} />
      </h1>
      <p class="route">
        <span class={`method ${method}`}>{method.toUpperCase()}</span>{' '}
        <code>
          <Name text={path} />
        </code>
      </p>
      <p class="lead">
        <Prose text={operation.summary} />.
      </p>
      <p>
        <Prose text={operation.description} />
      </p>
      <Parameters components={components} parameters={parameters} />
      <RequestBody components={components} operation={operation} />
      <Answers components={components} operation={operation} />
      <Refusals site={site} components={components} operation={operation} />
      <TryIt located={located} parameters={parameters} />
    </DocsPage>
  );
}

type ParametersProps = { readonly components: Components; readonly parameters: readonly Parameter[] };

function Parameters({ components, parameters }: ParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <section aria-labelledby="parameters">
      <h2 id="parameters">Parameters</h2>
      <ul class="fields">
        {parameters.map(({ name, in: place, required, description = '', schema }) => (
          <li key={`${place} ${name}`}>
            <FieldName name={name} type={`${typeOf(components, schema)}, in the ${place}`} isRequired={required} />
            <p>
              <Prose text={description} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type OperationProps = { readonly components: Components; readonly operation: Operation };

function RequestBody({ components, operation: { requestBody } }: OperationProps) {
  if (!requestBody) return null;
  const { schema, example } = requestBody.content['application/json'];
  return (
    <section aria-labelledby="body">
      <h2 id="body">Body</h2>
      <Fields components={components} schema={schema} />
      <Json label="Example body" value={example} />
    </section>
  );
}

function Answers({ components, operation: { responses } }: OperationProps) {
  const answers = Object.entries(responses).filter(([, { content }]) => !content['application/json']?.examples);
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      {answers.map(([status, { content }]) => (
        <section key={status} aria-labelledby={`answer-${status}`}>
          <h3 id={`answer-${status}`}>{`${status} ${STATUS_CODES[status] ?? ''}`}</h3>
          {MEDIA_TYPES.map(type => (
            <AnswerOf key={type} components={components} type={type} status={status} media={content[type]} />
          ))}
        </section>
      ))}
    </section>
  );
}

type AnswerOfProps = {
  readonly components: Components;
  readonly type: MediaTypeName;
  readonly status: string;
  readonly media: MediaType | undefined;
};

/** A file is told with its type; the fields of its rows follow in each. */
function AnswerOf({ components, type, status, media }: AnswerOfProps) {
  if (!media) return null;
  const { schema, example } = media;
  const label = `Example answer ${status}`;
  if (type === 'application/json')
    return (
      <>
        <Fields components={components} schema={schema} />
        <Json label={label} value={example} />
      </>
    );
  return (
    <>
      <h4>
        <code>{type}</code>
      </h4>
      <p>
        <Prose text={type === 'text/csv' ? String(schema.description) : 'An object a line, with these fields.'} />
      </p>
      {type !== 'text/csv' && <Fields components={components} schema={schema} />}
      {typeof example === 'string' ? (
        <Code label={`${label} ${type}`} text={example} />
      ) : (
        <Json label={`${label} ${type}`} value={example} />
      )}
    </>
  );
}

function Refusals({ site, components, operation }: OperationProps & { readonly site: DocsSite }) {
  const rows = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.keys(content['application/json']?.examples ?? {}).map(code => ({ status, code })),
  );
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">Refusals</h2>
      <Table
        name="Refusals by code"
        headings={['Code', 'Meaning', 'Status']}
        rows={rows.map(({ status, code }) => [
          <a href={`${site.root}/errors/${code}`}>
            <code>
              <Name text={code} />
            </code>
          </a>,
          components.examples[code]?.summary ?? '',
          status,
        ])}
      />
    </section>
  );
}
