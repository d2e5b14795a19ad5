import type { PaymentTimeline } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { MomentSlider } from '../../parts/as-of';
import { DashboardPage } from '../../parts/dashboard-page';
import { Icon } from '../../parts/icon';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { Badge, StatusBadge } from '../../parts/status-badge';
import type { ActorNames } from './actor-names';
import { ActionsCard, HeldNote, RefusedStep } from './decisions';
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
          {asOf.isRejected && <Badge tone="bad" text={rejectionOf(shown)} />}
          <CustomerLink payment={now} />
        </div>
      }
    >
      <RefusedStep payment={now} steps={timeline.steps} />
      <div class="columns">
        <div class="stack">
          <MomentSlider path={path} shown={{ revision: asOf.revision, at: asOf.at }} newest={timeline.revisions - 1} />
          {asOf.isNewest && shown.hold?.status === 'open' && <HeldNote review={reviewOf(shown)} />}
          {asOf.isNewest && <ActionsCard payment={now} steps={timeline.steps} />}
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

function rejectionOf({ hold }: PaymentTimeline['now']): string {
  return hold?.status === 'rejected' ? 'Rejected by compliance' : 'Rejected in review';
}

function reviewOf({ review }: PaymentTimeline['now']): 'none' | 'open' | 'rejected' {
  if (review === null) return 'none';
  return review.resolution === 'rejected' ? 'rejected' : 'open';
}
