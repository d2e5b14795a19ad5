import { isId } from '../../src/vocabulary/ids';
import { Code } from '../parts/code';
import { Shell } from '../parts/shell';

type LogGuidePageProps = {
  readonly docsUrl: string;
  /** The address that pages of logged requests stand below. */
  readonly requestsUrl: string;
  /** The text that stands in an id's place. */
  readonly asked: string;
};

/**
 * The way to read the log of a request. A text that is no id is not repeated, since the reader is to copy a line into
 * a shell.
 */
export function LogGuidePage({ docsUrl, requestsUrl, asked }: LogGuidePageProps) {
  const id = isId('req', asked) ? asked : 'req_…';
  const title = `How to read the log of ${id}`;
  const line = `curl -H "Authorization: Bearer $KEY" -o request.html \\\n  '${requestsUrl}/${id}'`;
  return (
    <Shell
      title={title}
      home={docsUrl}
      label="Documentation"
      links={[{ href: docsUrl, text: 'Documentation' }]}
      script="docs.js"
    >
      <h1>{title}</h1>
      <p>The log of a request is shown to a key of the account and mode that the request belongs to.</p>
      <p>
        The key needs the scope <code>request_log:read</code>. With it in the variable KEY of a shell:
      </p>
      <Code label="Shell" text={line} />
      <p>Then open the file request.html.</p>
    </Shell>
  );
}
