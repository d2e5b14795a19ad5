import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Empty, NoOlder, Pager } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import type { Place } from '../../http/given-filters';
import { KEY_TONES, maskedKey } from './key-words';

type KeysPageProps = Place & { readonly keys: readonly ApiKeyResource[] };

/** The API keys of the mode. */
export function KeysPage({ keys, next, isFirst }: KeysPageProps) {
  const paths = usePaths();
  const mayManage = useMay('key.manage');
  const mint = mayManage && (
    <a class="button main" href={paths('keys/new')}>
      <Icon name="plus" />
      New key
    </a>
  );
  return (
    <DashboardPage title="API keys" current="keys" actions={mint}>
      <Live id="keys">
        {keys.length === 0 ? (
          <NoKeys isFirst={isFirst} />
        ) : (
          <>
            <DataTable
              name="API keys"
              columns={[
                { heading: 'Key' },
                { heading: 'Name' },
                { heading: 'Status' },
                { heading: 'Last used' },
                { heading: 'Created' },
                { heading: 'Ends' },
              ]}
              rows={keys.map(key => ({
                key: key.id,
                href: paths(`keys/${key.id}`),
                cells: [
                  <code key="key">{maskedKey(key)}</code>,
                  key.name ?? '–',
                  <Badge key="status" tone={KEY_TONES[key.status]} text={spoken(key.status)} />,
                  key.last_used_at === null ? 'Never' : <TimeOf key="used" at={key.last_used_at} />,
                  <TimeOf key="created" at={key.created} />,
                  key.expires_at === null ? 'Never' : <TimeOf key="ends" at={key.expires_at} />,
                ],
              }))}
            />
            <Pager action={paths('keys')} next={next} isFirst={isFirst} shown={keys.length} />
          </>
        )}
      </Live>
    </DashboardPage>
  );
}

function NoKeys({ isFirst }: Pick<Place, 'isFirst'>) {
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="key-round" objects="keys" newest={paths('keys')} />;
  return (
    <Empty icon="key-round" title="No keys yet">
      <p>A key lets your shop call the API in this mode.</p>
    </Empty>
  );
}
