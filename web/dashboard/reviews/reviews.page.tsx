import type { FoundPayments, PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import type { EvidenceFact } from '../../../src/modules/payment-intents/queries/payment-evidence';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { Card } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Empty, Pager } from '../../parts/list-parts';
import { Live } from '../../parts/card';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { HiddenFault } from '../../parts/signed-form';
import { StatusBadge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { decisionsOf, HeldNote, ReviewForms } from '../payments/decisions';
import { factEntry } from '../payments/fact-words';
import { about } from '../payments/payments.page';

export type ReviewsView = {
  readonly found: FoundPayments;
  readonly isFirst: boolean;
  /** The grounds of inferred transfers, by the payment's id. */
  readonly evidence: Readonly<Record<string, readonly EvidenceFact[]>>;
};

/** The payments that wait for a decision: underpaid, paid late, or paid by a transfer that was inferred. */
export function ReviewsPage({ view: { found, isFirst, evidence } }: { readonly view: ReviewsView }) {
  const paths = usePaths();
  const { rows, next } = found;
  return (
    <DashboardPage title="To review" current="reviews">
      <RefusedDecision rows={rows} />
      <Live id="reviews" said={`${rows.length} shown`}>
        {rows.length === 0 && <NothingToReview isFirst={isFirst} />}
        {rows.map(row => (
          <Review key={row.id} row={row} evidence={evidence[row.id] ?? []} />
        ))}
        {rows.length > 0 && <Pager action={paths('reviews')} next={next} isFirst={isFirst} shown={rows.length} />}
      </Live>
    </DashboardPage>
  );
}

/** The reason of a refused decision on a payment that waits no longer, or that an open hold keeps from it. */
function RefusedDecision({ rows }: { readonly rows: readonly PaymentRow[] }) {
  const paths = usePaths();
  const mayDecide = useMay('payment.decide');
  const formsOf = (row: PaymentRow) => decisionsOf(row).map(decision => paths(`reviews/${row.id}/${decision}`));
  return <HiddenFault drawn={mayDecide ? rows.flatMap(formsOf) : []} />;
}

function NothingToReview({ isFirst }: { readonly isFirst: boolean }) {
  const paths = usePaths();
  return (
    <Empty icon="inbox" title={isFirst ? 'Nothing waits for you' : 'No older ones'}>
      <p>Payments come here that are underpaid, were paid late, or were attributed by inference.</p>
      {!isFirst && <a href={paths('reviews')}>The newest ones</a>}
    </Empty>
  );
}

type ReviewProps = { readonly row: PaymentRow; readonly evidence: readonly EvidenceFact[] };

function Review({ row, evidence }: ReviewProps) {
  const paths = usePaths();
  const mayDecide = useMay('payment.decide');
  const { id, currency, currencyDecimals: decimals, receivedTokenAmount, asset, networkId } = row;
  const received = (
    <>
      <Money minorUnits={row.receivedMinorUnits} {...{ currency, decimals }} />
      {receivedTokenAmount !== null && ` (${receivedTokenAmount} ${asset})`}
    </>
  );
  return (
    <Card class="facts">
      <div class="heading">
        <h2>
          <a href={paths(`payments/${id}`)}>
            <Money minorUnits={row.amountMinorUnits} {...{ currency, decimals }} /> asked
          </a>
        </h2>
        <StatusBadge status={row.status} />
      </div>
      <p>{reasonOf(row)}</p>
      <Definitions
        entries={[
          ['Received', received],
          ['About', about(row)],
          ...(networkId === null ? [] : [['Network', NETWORKS[networkId].name] as const]),
          ['Created', <TimeOf key="created" at={row.created} />],
          ...evidence.map(factEntry),
        ]}
      />
      {row.isHoldOpen && <HeldNote review="open" />}
      {mayDecide && (
        <ReviewForms path={`reviews/${id}`} reason={row.reviewReason ?? 'underpaid'} isHoldOpen={row.isHoldOpen} />
      )}
    </Card>
  );
}

function reasonOf({ isInferred, reviewReason }: PaymentRow): string {
  if (isInferred) return 'A transfer of another amount came that can be meant for no other payment. Is it this one’s?';
  if (reviewReason === 'paid_late') return 'The money came after the price was no longer held.';
  return 'Less has arrived than was asked for.';
}
