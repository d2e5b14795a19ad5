import { STATUS_CODES } from 'node:http';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorType } from '../../src/vocabulary/error-catalogue';
import { ERROR_REMEDIES } from '../../src/platform/docs/error-remedies';
import { retryAdvice } from '../../src/platform/docs/retry-advice';
import { Json } from '../parts/code';
import { Definitions } from '../parts/definitions';
import { Name, Prose } from '../parts/prose';
import { DocsPage, type DocsSite } from './screens/docs-page';

type ErrorPageProps = {
  readonly site: DocsSite;
  readonly code: ErrorCode;
  /** The envelope as the service answers it. */
  readonly example: unknown;
};

/** The page of one error code: its meaning, its remedy, and whether another try helps. */
export function ErrorPage({ site, code, example }: ErrorPageProps) {
  const { type, status, title } = ERROR_CATALOGUE[code];
  return (
    <DocsPage site={site} title={code} place="Errors">
      <h1>
        <Name text={code} />
      </h1>
      <Definitions
        entries={[
          ['What it means', title],
          ['What to do', <Prose text={ERROR_REMEDIES[code]} />],
          ['Try again?', retryAdvice(code)],
          ['Type', <TypeLink site={site} type={type} />],
          ['Status', `${status} ${STATUS_CODES[status] ?? ''}`],
        ]}
      />
      <h2>Example</h2>
      <Json label="Example answer" value={example} />
    </DocsPage>
  );
}

function TypeLink({ site, type }: { readonly site: DocsSite; readonly type: ErrorType }) {
  return (
    <a href={`${site.root}/errors#${type}`}>
      <code>{type}</code>
    </a>
  );
}
