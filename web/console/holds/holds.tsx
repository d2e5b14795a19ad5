import { holds } from '../../../src/modules/administration/api/lists/payments';
import { Address } from '../../parts/address';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import { spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { addressEnds } from '../../words/chain-names';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { Amount, MerchantLink, ModeBadge, StateBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';
import { PaymentFacts, RejectionBadge } from './payment-facts';

type Hold = RowOf<typeof holds>;
const TONES: Readonly<Record<string, Tone>> = { open: 'review', released: 'ok', rejected: 'bad' };

/** The payments that a finding about a payer holds. */
export const HOLDS: ListPages<Hold> = {
  list: holds,
  path: 'holds',
  title: 'Holds',
  icon: 'shield-alert',
  none: 'No payment is held',
  columns: [
    { heading: 'Placed' },
    { heading: 'Status' },
    { heading: 'Price', isNumber: true },
    { heading: 'Payer' },
    { heading: 'Cause' },
    { heading: 'Merchant' },
    { heading: 'Mode' },
  ],
  cells: ({ status, placed_at, payment_intent: payment, payer, source, merchant_id, mode }) => [
    <TimeOf at={placed_at} />,
    <>
      <StateBadge text={status} tones={TONES} /> <RejectionBadge payment={payment} />
    </>,
    <Amount {...payment} />,
    <code>{addressEnds(payer)}</code>,
    spoken(source),
    <MerchantLink id={merchant_id} />,
    <ModeBadge mode={mode} />,
  ],
  actions: () => <ActionLink action="placeHold" text="Hold a payment" />,
  detail: {
    title: ({ payment_intent: { id } }) => `Hold of ${id}`,
    actions: ({ row: { id, status } }) =>
      status === 'open' ? (
        <>
          <ActionLink action="releaseHold" text="Release" target={id} isMain />
          <ActionLink action="rejectHold" text="Reject" target={id} isDanger />
        </>
      ) : null,
    body: HoldBody,
  },
};

function HoldBody({ row }: { readonly row: Hold }) {
  const { status, payer, source, reason, placed_at, resolved_at, merchant_id, mode, payment_intent } = row;
  return (
    <div class="columns even">
      <Card title="Hold" liveId="hold" said={status}>
        <Definitions
          entries={[
            ['Status', <StateBadge text={status} tones={TONES} />],
            ['Payer', <Address address={payer} />],
            ['Cause', source === 'screening' ? 'The screening found the payer in a list.' : 'An administrator.'],
            ['Reason', reason ?? 'None'],
            ['Placed', <TimeOf at={placed_at} />],
            ['Resolved', resolved_at === null ? 'Not yet' : <TimeOf at={resolved_at} />],
          ]}
        />
      </Card>
      <PaymentFacts mode={mode} merchantId={merchant_id} payment={payment_intent} />
    </div>
  );
}
