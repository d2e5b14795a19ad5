import type { holds } from '../../../src/modules/administration/api/lists/payments';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import { Badge, StatusBadge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { Amount, MerchantLink, ModeBadge, ObjectLink } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

type ListedPayment = RowOf<typeof holds>['payment_intent'];

/** An amount of a payment's token; nothing before a token is chosen. */
function TokenText({ payment, amount }: { readonly payment: ListedPayment; readonly amount: string | null }) {
  const { token_id: token } = payment;
  return amount === null || token === null ? <>None</> : <>{`${amount} ${TOKENS[token].asset}`}</>;
}

type PaymentFactsProps = { readonly mode: string; readonly merchantId: string; readonly payment: ListedPayment };

/** The end of a payment's review, which its status does not tell; nothing where nobody has rejected it. */
export function RejectionBadge({ payment }: { readonly payment: ListedPayment }) {
  return payment.is_review_rejected ? <Badge tone="bad" text="Rejected in review" /> : null;
}

/** The payment that a hold or a review is about. */
export function PaymentFacts({ mode, merchantId, payment }: PaymentFactsProps) {
  const { id, status, amount, received_amount: received, ...rest } = payment;
  return (
    <Card title="Payment" liveId="payment" said={status}>
      <Definitions
        entries={[
          [
            'Status',
            <>
              <StatusBadge status={status} /> <RejectionBadge payment={payment} />
            </>,
          ],
          ['Id', <ObjectLink mode={mode} category="payment_intent" id={id} />],
          ['Mode', <ModeBadge mode={mode} />],
          ['Merchant', <MerchantLink id={merchantId} />],
          ['Price', <Amount {...rest} amount={amount} />],
          ['Received', <Amount {...rest} amount={received} />],
          ['Asked for', <TokenText payment={payment} amount={payment.token_amount} />],
          ['Has come', <TokenText payment={payment} amount={payment.received_token_amount} />],
          ['Created', <TimeOf at={payment.created} />],
        ]}
      />
    </Card>
  );
}
