import type {
  DeliveryAttemptResource,
  WebhookEndpointResource,
} from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { Card } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Pager } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Place } from '../../http/given-filters';
import { Attempts } from './attempts';
import { EndpointBadge } from './endpoint-badge';
import { EndpointSteps } from './endpoint-steps';

type EndpointPageProps = Place & {
  readonly endpoint: WebhookEndpointResource;
  readonly attempts: readonly DeliveryAttemptResource[];
  /** The type of each attempt's event, by its id. */
  readonly types: Readonly<Record<string, string>>;
};

/** One endpoint: its settings, its secrets and its deliveries. */
export function EndpointPage({ endpoint, attempts, types, next, isFirst }: EndpointPageProps) {
  const paths = usePaths();
  const mayManage = useMay('webhook.manage');
  return (
    <DashboardPage
      title={endpoint.description ?? 'Endpoint'}
      current="webhooks"
      back={{ path: 'webhooks', text: 'Webhooks' }}
      actions={<EndpointBadge endpoint={endpoint} />}
    >
      {mayManage && <EndpointSteps endpoint={endpoint} />}
      <div class="columns loose">
        <Card title="Deliveries" liveId="deliveries">
          {attempts.length === 0 ? <p>Nothing was sent here yet.</p> : <Attempts {...{ attempts, types }} />}
          {(attempts.length > 0 || !isFirst) && (
            <Pager action={paths(`webhooks/${endpoint.id}`)} next={next} isFirst={isFirst} shown={attempts.length} />
          )}
        </Card>
        <div class="stack">
          <Card title="Endpoint" liveId="endpoint">
            <Definitions
              entries={[
                [
                  'URL',
                  <bdi key="url" dir="ltr" class="breakable">
                    {endpoint.url}
                  </bdi>,
                ],
                ['Events', endpoint.enabled_events.includes('*') ? 'All' : endpoint.enabled_events.join(', ')],
                ['Id', <code key="id">{endpoint.id}</code>],
                ['API version', endpoint.api_version],
                ['Created', <TimeOf key="created" at={endpoint.created} />],
              ]}
            />
          </Card>
          <Card title="Signing secrets" liveId="secrets">
            <ul class="plain">
              {endpoint.secrets.map(({ id, created, expires_at: end }) => (
                <li key={id}>
                  From <TimeOf at={created} />
                  {end === null ? ': signs' : <Until end={end} />}
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </DashboardPage>
  );
}

function Until({ end }: { readonly end: string }) {
  return (
    <>
      : signs until <TimeOf at={end} />
    </>
  );
}
