import { Card } from '../../parts/card';
import { KeptBody } from '../../parts/code';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import { StatusCode } from './status-code';

/** The kept part of a request, without secrets. */
type ShownRequest = {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly key_id?: string | null;
  readonly ip: string | null;
  readonly created: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string | null;
  readonly response_body: string | null;
};

/** One request with its answer, as far as both are kept. */
export function RequestPage({ logged }: { readonly logged: ShownRequest }) {
  const { root } = usePage();
  const paths = usePaths();
  const { request_headers: headers, request_body: body, response_body: answer, code, key_id: key = null } = logged;
  return (
    <DashboardPage
      title={`${logged.method} ${logged.path}`}
      current="requests"
      back={{ path: 'requests', text: 'Requests' }}
      actions={<StatusCode status={logged.status} />}
    >
      <div class="columns loose">
        <div class="stack">
          <Card title="Body">
            <KeptBody label="Body of the request" text={body} />
          </Card>
          <Card title="Answer">
            <KeptBody label="Body of the answer" text={answer} />
          </Card>
          <Card title="Headers">
            <Definitions entries={Object.entries(headers)} />
          </Card>
        </div>
        <Card title="Request">
          <Definitions
            entries={[
              ['Id', <code key="id">{logged.request_id}</code>],
              ['Time', <TimeOf key="time" at={logged.created} as="exact" />],
              ['Taken', `${logged.ms} ms`],
              ['Code', code === null ? '–' : <a href={`${root}/docs/errors/${code}`}>{code}</a>],
              ['Key', key === null ? '–' : <a href={paths(`keys/${key}`)}>{key}</a>],
              ['Query', logged.query ?? '–'],
              ['Route', logged.route ?? '–'],
              ['From', logged.ip ?? '–'],
            ]}
          />
          <p class="hint">Secrets are not kept, and long bodies are cut.</p>
        </Card>
      </div>
    </DashboardPage>
  );
}
