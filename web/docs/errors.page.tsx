import { ERROR_CATALOGUE, type ErrorCode, type ErrorType } from '../../src/vocabulary/error-catalogue';
import { RETRY_ADVICE } from '../../src/platform/docs/retry-advice';
import { Name } from '../parts/prose';
import { Table } from '../parts/table';
import { DocsPage, type DocsSite } from './screens/docs-page';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
const TYPES = Object.keys(RETRY_ADVICE) as ErrorType[];

/** All error codes by their type. */
export function ErrorsPage({ site }: { readonly site: DocsSite }) {
  return (
    <DocsPage site={site} title="Error codes" place="Errors">
      <h1>Error codes</h1>
      <p class="lead">
        Every failed request answers one of these {CODES.length} codes in its envelope. Branch on the type when a code
        is new to you.
      </p>
      <nav class="on-page no-print" aria-label="Types of errors">
        {TYPES.map(type => (
          <a key={type} href={`#${type}`}>
            {type}
          </a>
        ))}
      </nav>
      {TYPES.map(type => (
        <section key={type} aria-labelledby={type}>
          <h2 id={type}>
            <code>{type}</code>
          </h2>
          <p>Try again? {RETRY_ADVICE[type]}</p>
          <Table
            name={`Codes of the type ${type}`}
            headings={['Code', 'Meaning', 'Status']}
            rows={CODES.filter(code => ERROR_CATALOGUE[code].type === type).map(code => [
              <a href={`${site.root}/errors/${code}`}>
                <code>
                  <Name text={code} />
                </code>
              </a>,
              ERROR_CATALOGUE[code].title,
              ERROR_CATALOGUE[code].status,
            ])}
          />
        </section>
      ))}
    </DocsPage>
  );
}
