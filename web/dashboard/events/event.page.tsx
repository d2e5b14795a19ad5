import { SECOND_MS } from '../../../src/kernel/clock';
import type { DeliveryAttemptResource } from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import type { WebhookEventResource } from '../../../src/modules/webhooks/api/webhook-events.contract';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { SelectField } from '../../parts/fields';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { TimeOf } from '../../parts/time-of';
import { Attempts } from '../webhooks/attempts';
import { DeliveryBadge, DeliveryState } from './delivery-badge';

type Listener = { readonly id: string; readonly url: string; readonly isEnabled: boolean };

type EventPageProps = {
  readonly event: WebhookEventResource;
  readonly endpoints: readonly Listener[];
  readonly attempts: readonly DeliveryAttemptResource[];
};

/** One event: its body, its deliveries with each attempt, and the way to send it again. */
export function EventPage({ event, endpoints, attempts }: EventPageProps) {
  const paths = usePaths();
  const { object: _, deliveries, ...body } = event;
  return (
    <DashboardPage
      title={event.type}
      current="events"
      back={{ path: 'events', text: 'Events' }}
      actions={<DeliveryBadge deliveries={deliveries} />}
    >
      <div class="columns loose">
        <div class="stack">
          <Card title="Deliveries" liveId="deliveries">
            {deliveries.length === 0 && <p>This webhook has no delivery.</p>}
            {deliveries.map(delivery => (
              <Delivery
                key={delivery.endpoint}
                delivery={delivery}
                url={endpoints.find(({ id }) => id === delivery.endpoint)?.url ?? delivery.endpoint}
                attempts={attempts.filter(({ endpoint }) => endpoint === delivery.endpoint)}
              />
            ))}
          </Card>
          <Redeliver event={event.id} endpoints={endpoints.filter(({ isEnabled }) => isEnabled)} />
          <Card title="Body">
            <Json label="As it is sent, in JSON" value={body} />
          </Card>
        </div>
        <Card title="Event">
          <Definitions
            entries={[
              ['Id', <code key="id">{event.id}</code>],
              [
                'Payment',
                <a key="payment" href={paths(`payments/${event.data.id}`)}>
                  <code>{event.data.id}</code>
                </a>,
              ],
              ['Time', <TimeOf key="time" at={event.created * SECOND_MS} />],
              ['API version', event.api_version],
            ]}
          />
        </Card>
      </div>
    </DashboardPage>
  );
}

type DeliveryProps = {
  readonly delivery: WebhookEventResource['deliveries'][number];
  readonly url: string;
  readonly attempts: readonly DeliveryAttemptResource[];
};

function Delivery({ delivery: { endpoint, status, next_attempt_at: next }, url, attempts }: DeliveryProps) {
  const paths = usePaths();
  return (
    <div class="delivery">
      <p class="title">
        <DeliveryState status={status} />
        <a href={paths(`webhooks/${endpoint}`)} class="breakable">
          {url}
        </a>
      </p>
      {next !== null && (
        <p class="label">
          Next attempt: <TimeOf at={next} as="exact" />
        </p>
      )}
      <Attempts attempts={attempts} types={null} />
    </div>
  );
}

function Redeliver({ event, endpoints }: { readonly event: string; readonly endpoints: readonly Listener[] }) {
  const paths = usePaths();
  const fault = useFault();
  const mayManage = useMay('webhook.manage');
  if (!mayManage || (endpoints.length === 0 && fault === null)) return null;
  return (
    <Card title="Deliver again">
      <SignedForm action={paths(`events/${event}/redeliver`)}>
        <SelectField
          name="endpoint"
          label="To"
          hint="One attempt is made now, beside the schedule."
          options={endpoints.map(({ id, url }) => ({ value: id, text: url }))}
        />
        <Submit isMain={false}>Deliver again</Submit>
      </SignedForm>
    </Card>
  );
}
