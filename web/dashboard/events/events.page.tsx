import { SECOND_MS } from '../../../src/kernel/clock';
import type { WebhookEventResource } from '../../../src/modules/webhooks/api/webhook-events.contract';
import { WEBHOOK_TYPES } from '../../../src/modules/webhooks/webhook-types';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField } from '../../parts/fields';
import { Empty, Filters, NoOlder, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Fault, Place } from '../../http/given-filters';
import { DeliveryBadge } from './delivery-badge';

type EventsPageProps = Place &
  Fault & {
    readonly events: readonly WebhookEventResource[];
    /** By the names of the API, without those that are not set. */
    readonly filters: Readonly<Record<string, string>>;
  };

export const EVENT_FILTERS = { type: 'Type', delivered: 'Delivery', payment_intent: 'Payment' } as const;

const TYPES = [
  { value: '', text: 'All types' },
  ...WEBHOOK_TYPES.filter(type => type.startsWith('payment.')).map(type => ({ value: type, text: type })),
];
const DELIVERED = [
  { value: '', text: 'Delivered or not' },
  { value: 'true', text: 'Delivered' },
  { value: 'false', text: 'Not delivered, or no delivery' },
];

/** The webhook events of the mode, the newest first. */
export function EventsPage({ events, filters, fault, next, isFirst }: EventsPageProps) {
  const paths = usePaths();
  const isFailed = filters.failed === 'true';
  const field = <Name extends keyof typeof EVENT_FILTERS>(name: Name) =>
    ({ name, label: EVENT_FILTERS[name], value: filters[name] ?? '' }) as const;
  return (
    <DashboardPage title="Events" current="events">
      <Tabs
        label="Kinds of events"
        tabs={[
          { text: 'All', href: paths('events'), isCurrent: !isFailed },
          { text: 'Not delivered', href: paths('events?failed=true'), isCurrent: isFailed },
        ]}
      />
      {!isFailed && (
        <Filters action={paths('events')}>
          <SelectField {...field('type')} options={TYPES} />
          <SelectField {...field('delivered')} options={DELIVERED} />
          <TextField {...field('payment_intent')} placeholder="pi_…" />
        </Filters>
      )}
      <Live id="events">
        {fault !== null && <RefusedFilter fault={fault} />}
        {events.length === 0 && fault === null && (
          <Nothing isFailed={isFailed} isFiltered={Object.keys(filters).length > 0} isFirst={isFirst} />
        )}
        {events.length > 0 && (
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
        {events.length > 0 && (
          <Pager action={paths('events')} query={filters} next={next} isFirst={isFirst} shown={events.length} />
        )}
      </Live>
    </DashboardPage>
  );
}

type NothingProps = { readonly isFailed: boolean; readonly isFiltered: boolean; readonly isFirst: boolean };

function Nothing({ isFailed, isFiltered, isFirst }: NothingProps) {
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="list-ordered" objects="events" newest={paths('events')} />;
  if (isFailed)
    return (
      <Empty icon="circle-check" title="No delivery has failed">
        <p>
          Each event has arrived, or is still tried. <a href={paths('events')}>Show all events</a>
        </p>
      </Empty>
    );
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
