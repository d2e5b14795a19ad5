import { SECOND_MS } from '../../../src/kernel/clock';
import type { WebhookEventResource } from '../../../src/modules/webhooks/api/webhook-events.contract';
import { WEBHOOK_TYPES } from '../../../src/modules/webhooks/webhook-types';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/dashboard-path';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField } from '../../parts/fields';
import { Empty, Filters, Pager } from '../../parts/list-parts';
import { TimeOf } from '../../parts/time-of';
import { DeliveryBadge } from './delivery-badge';

type EventsPageProps = {
  readonly events: readonly WebhookEventResource[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  /** By the names of the API, without those that are not set. */
  readonly filters: Readonly<Record<string, string>>;
};

const TYPES = [
  { value: '', text: 'All types' },
  ...WEBHOOK_TYPES.filter(type => type.startsWith('payment.')).map(type => ({ value: type, text: type })),
];
const DELIVERED = [
  { value: '', text: 'Delivered or not' },
  { value: 'true', text: 'Delivered' },
  { value: 'false', text: 'Not delivered' },
];

/** The webhook events of the mode, the newest first. */
export function EventsPage({ events, hasMore, isFirst, filters }: EventsPageProps) {
  const paths = usePaths();
  const next = hasMore ? (events.at(-1)?.id ?? null) : null;
  return (
    <DashboardPage title="Events" current="events">
      <Filters action={paths('events')}>
        <SelectField name="type" label="Type" value={filters.type ?? ''} options={TYPES} />
        <SelectField name="delivered" label="Delivery" value={filters.delivered ?? ''} options={DELIVERED} />
        <TextField name="payment_intent" label="Payment" value={filters.payment_intent ?? ''} placeholder="pi_…" />
      </Filters>
      <Live id="events">
        {events.length === 0 ? (
          <Nothing isFiltered={Object.keys(filters).length > 0} />
        ) : (
          <DataTable
            name="Events"
            columns={[{ heading: 'Type' }, { heading: 'Delivery' }, { heading: 'Payment' }, { heading: 'Time' }]}
            rows={events.map(({ id, type, deliveries, data, created }) => ({
              key: id,
              href: paths(`events/${id}`),
              cells: [
                type,
                <DeliveryBadge key="delivery" deliveries={deliveries} />,
                <code key="payment">{data.id}</code>,
                <TimeOf key="time" at={created * SECOND_MS} />,
              ],
            }))}
          />
        )}
        {(events.length > 0 || !isFirst) && (
          <Pager action={paths('events')} query={filters} next={next} isFirst={isFirst} shown={events.length} />
        )}
      </Live>
    </DashboardPage>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const paths = usePaths();
  if (isFiltered)
    return (
      <Empty icon="list-ordered" title="No such event">
        <p>
          <a href={paths('events')}>Show all events</a>
        </p>
      </Empty>
    );
  return (
    <Empty icon="list-ordered" title="No events yet">
      <p>Each new state of a payment makes an event, which your endpoints hear of.</p>
    </Empty>
  );
}
