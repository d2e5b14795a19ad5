import { parseIsoTime } from '../../../src/kernel/clock';
import type { PaymentTimeline } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { AsOf } from '../../parts/as-of';
import { useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Icon } from '../../parts/icon';
import { Money } from '../../parts/money';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { Badge, StatusBadge } from '../../parts/status-badge';
import { timeText } from '../../parts/time-of';
import type { ActorNames } from './actor-names';
import { ActionsCard } from './decisions';
import { CustomerCard, FactsCard, WebhooksCard } from './payment-cards';
import { TimelineCard } from './timeline-card';

type Props = { readonly timeline: PaymentTimeline };
type PaymentPageProps = Props & { readonly names: ActorNames };

/** One payment: its timeline with the evidence of each event, now or as of an earlier one. */
export function PaymentPage({ timeline, names }: PaymentPageProps) {
  const { now, asOf } = timeline;
  const shown = asOf.isNewest ? now : asOf.payment;
  const paths = usePaths();
  const path = paths(`payments/${now.id}`);
  const heading = <Money minorUnits={now.amount} currency={now.currency} decimals={now.currency_decimals} />;
  return (
    <DashboardPage
      title={`Payment ${now.id}`}
      heading={heading}
      current="payments"
      back={{ path: 'payments', text: 'Payments' }}
      actions={
        <div class="actions" id="status" data-live data-said={`Status: ${shown.status.replaceAll('_', ' ')}`}>
          <StatusBadge status={shown.status} />
          {shown.review?.resolution === 'rejected' && <Badge tone="bad" text="Rejected in review" />}
          <CustomerLink payment={now} />
        </div>
      }
    >
      <div class="columns">
        <div class="stack">
          <Moment timeline={timeline} path={path} />
          {asOf.isNewest && shown.hold?.status === 'open' && <HeldNote />}
          {asOf.isNewest && <ActionsCard payment={now} />}
          <TimelineCard {...{ timeline, names, path }} />
        </div>
        <div class="stack">
          <FactsCard payment={shown} />
          <CustomerCard payment={shown} />
          <WebhooksCard timeline={timeline} />
        </div>
      </div>
    </DashboardPage>
  );
}

/** A paid payment has a receipt; any other one only the page on which its customer stands. */
function CustomerLink({ payment: { status, checkout_url } }: { readonly payment: PaymentTimeline['now'] }) {
  const isPaid = status === 'confirmed' || status === 'overpaid';
  return (
    <a class="button" href={isPaid ? `${checkout_url}/receipt` : checkout_url}>
      <Icon name={isPaid ? 'receipt-text' : 'external-link'} />
      {isPaid ? 'Receipt' : 'Checkout'}
    </a>
  );
}

/** The slider is no live part, since people hold it. A further event makes another part, with which all is new. */
function Moment({ timeline: { asOf, revisions }, path }: Props & { readonly path: string }) {
  const { timeZone } = useReader();
  const { revision, at, isNewest } = asOf;
  const newest = revisions - 1;
  const moment = timeText(parseIsoTime(at), timeZone, 'exact');
  const text = isNewest ? `now, event ${revision}` : `event ${revision} of ${newest}, ${moment}`;
  return (
    <>
      <span id={`newest-${newest}`} data-live hidden />
      <AsOf action={path} at={revision} newest={newest} text={text} />
    </>
  );
}

function HeldNote() {
  return (
    <Note tone="warn" icon="shield-alert">
      <p>The payment is held while its payer is being looked into. Nothing is to be done by you.</p>
    </Note>
  );
}
