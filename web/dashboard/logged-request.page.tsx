import { KeptBody } from '../parts/code';
import { Definitions } from '../parts/definitions';
import { Shell } from '../parts/shell';

/** The kept part of a request, without secrets. */
type ShownRequest = {
  readonly request_id: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string | null;
  readonly response_body: string | null;
} & Readonly<Record<string, unknown>>;

type LoggedRequestPageProps = { readonly docsUrl: string; readonly request: ShownRequest };

/** The log of one request. */
export function LoggedRequestPage({ docsUrl, request }: LoggedRequestPageProps) {
  const { request_headers: headers, request_body: body, response_body: answer, ...facts } = request;
  const title = `Request ${request.request_id}`;
  return (
    <Shell
      title={title}
      home={docsUrl}
      label="Documentation"
      links={[{ href: docsUrl, text: 'Documentation' }]}
      script="docs.js"
    >
      <h1>{title}</h1>
      <Definitions entries={Object.entries(facts).map(entry)} />
      <h2>Request headers</h2>
      <Definitions entries={Object.entries(headers).map(entry)} />
      <h2>Request body</h2>
      <KeptBody label="Request body" text={body} />
      <h2>Answer</h2>
      <KeptBody label="Body of the answer" text={answer} />
      <p>Secrets are not kept, and long bodies are cut.</p>
    </Shell>
  );
}

function entry([name, value]: readonly [string, unknown]): readonly [string, string] {
  return [name, String(value ?? '–')];
}
