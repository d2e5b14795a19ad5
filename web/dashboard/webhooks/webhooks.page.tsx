import type { WebhookEndpointResource } from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Empty, NoOlder, Pager } from '../../parts/list-parts';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Place } from '../../http/given-filters';
import { EndpointBadge } from './endpoint-badge';

type WebhooksPageProps = Place & { readonly endpoints: readonly WebhookEndpointResource[] };

/** The endpoints of the mode. */
export function WebhooksPage({ endpoints, next, isFirst }: WebhooksPageProps) {
  const paths = usePaths();
  const mayManage = useMay('webhook.manage');
  const create = mayManage && (
    <a class="button main" href={paths('webhooks/new')}>
      <Icon name="plus" />
      New endpoint
    </a>
  );
  return (
    <DashboardPage title="Webhooks" current="webhooks" actions={create}>
      <Live id="webhooks">
        {endpoints.length === 0 ? (
          <NoEndpoints isFirst={isFirst} />
        ) : (
          <>
            <DataTable
              name="Endpoints"
              columns={[{ heading: 'URL' }, { heading: 'Status' }, { heading: 'Events' }, { heading: 'Created' }]}
              rows={endpoints.map(endpoint => ({
                key: endpoint.id,
                href: paths(`webhooks/${endpoint.id}`),
                cells: [
                  <bdi key="url" dir="ltr" class="breakable">
                    {endpoint.url}
                  </bdi>,
                  <EndpointBadge key="status" endpoint={endpoint} />,
                  endpoint.enabled_events.includes('*') ? 'All' : `${endpoint.enabled_events.length}`,
                  <TimeOf key="created" at={endpoint.created} />,
                ],
              }))}
            />
            <Pager action={paths('webhooks')} next={next} isFirst={isFirst} shown={endpoints.length} />
          </>
        )}
      </Live>
    </DashboardPage>
  );
}

function NoEndpoints({ isFirst }: Pick<Place, 'isFirst'>) {
  const { root } = usePage();
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="webhook" objects="endpoints" newest={paths('webhooks')} />;
  return (
    <Empty icon="webhook" title="No endpoints yet">
      <p>
        An endpoint is an address of your shop that hears of each payment.{' '}
        <a href={`${root}/docs/webhooks`}>How to receive webhooks</a>
      </p>
    </Empty>
  );
}
