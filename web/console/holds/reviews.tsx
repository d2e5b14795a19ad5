import { reviews } from '../../../src/modules/administration/api/lists/payments';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import { Badge, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { Amount, MerchantLink, ModeBadge, StateBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';
import { PaymentFacts } from './payment-facts';

type Review = RowOf<typeof reviews>;
const TONES: Readonly<Record<string, Tone>> = { underpaid: 'review', paid_late: 'review' };

/** The payments of all merchants that wait for a decision. */
export const REVIEWS: ListPages<Review> = {
  list: reviews,
  path: 'reviews',
  title: 'Reviews',
  icon: 'inbox',
  none: 'No payment waits for a decision',
  columns: [
    { heading: 'Since' },
    { heading: 'Reason' },
    { heading: 'Price', isNumber: true },
    { heading: 'Received', isNumber: true },
    { heading: 'Merchant' },
    { heading: 'Mode' },
  ],
  cells: ({ entered_at, reason, payment_intent: payment, merchant_id, mode }) => [
    <TimeOf at={entered_at} />,
    <StateBadge text={reason} tones={TONES} />,
    <Amount {...payment} />,
    <Amount {...payment} amount={payment.received_amount} />,
    <MerchantLink id={merchant_id} />,
    <ModeBadge mode={mode} />,
  ],
  detail: {
    title: ({ id }) => `Review of ${id}`,
    actions: ({ row: { id } }) => <ActionLink action="resolveReview" text="Decide" target={id} isMain />,
    body: ({ row }) => (
      <div class="columns even">
        <Card title="Review" liveId="review" said={row.reason}>
          <Definitions
            entries={[
              ['Reason', <StateBadge text={row.reason} tones={TONES} />],
              ['Since', <TimeOf at={row.entered_at} />],
              ['Hold', row.is_held ? <Badge tone="bad" text="Held" /> : 'None'],
            ]}
          />
          <p>{decisionText(row)}</p>
        </Card>
        <PaymentFacts mode={row.mode} merchantId={row.merchant_id} payment={row.payment_intent} />
      </div>
    ),
  },
};

/** The steps that are open. A hold stops the acceptance alone, and only the merchant accepts less than the price. */
function decisionText({ reason, is_held: isHeld }: Review): string {
  if (isHeld)
    return 'Nobody can accept this under the hold. The merchant, or you in the merchant’s place, can reject it.';
  if (reason === 'underpaid')
    return 'The merchant can decide this alone. In the merchant’s place you can reject it, and not accept it.';
  return 'The merchant can decide this alone. Decide in the merchant’s place where the merchant cannot.';
}
