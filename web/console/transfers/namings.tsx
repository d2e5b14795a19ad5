import { claims } from '../../../src/modules/administration/api/lists/namings';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import { spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { MerchantLink, ModeBadge, StateBadge, ObjectLink } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

type Naming = RowOf<typeof claims>;
const TONES: Readonly<Record<string, Tone>> = { in_review: 'review', accepted: 'ok', refused: 'bad' };

/** The transactions that customers and merchants named, and that people look into. */
export const NAMINGS: ListPages<Naming> = {
  list: claims,
  path: 'claims',
  title: 'Named transactions',
  icon: 'scroll-text',
  none: 'No named transaction is in review',
  columns: [
    { heading: 'Reference' },
    { heading: 'Kind' },
    { heading: 'Status' },
    { heading: 'Payment' },
    { heading: 'Why people decide' },
    { heading: 'Merchant' },
    { heading: 'Named' },
    { heading: 'Mode' },
  ],
  cells: ({ reference, kind, status, payment_intent, reason, merchant_id, created, mode }) => [
    <span class="hash brief">{reference}</span>,
    spoken(kind),
    <StateBadge text={status} tones={TONES} />,
    <ObjectLink mode={mode} category="payment_intent" id={payment_intent} />,
    whyOf(kind, reason),
    <MerchantLink id={merchant_id} />,
    <TimeOf at={created} />,
    <ModeBadge mode={mode} />,
  ],
  detail: {
    title: ({ reference }) => reference,
    actions: ({ row: { id, status } }) =>
      status === 'in_review' && (
        <>
          <ActionLink action="resolveClaim" text="It was found" target={id} fields={{ outcome: 'attributed' }} isMain />
          <ActionLink action="resolveClaim" text="Refuse" target={id} fields={{ outcome: 'refused' }} />
        </>
      ),
    body: NamingBody,
  },
};

function NamingBody({ row }: { readonly row: Naming }) {
  const { id, reference, kind, status, payment_intent, reason, merchant_id, created, mode } = row;
  return (
    <Card title="Claim" liveId="claim" said={status}>
      <Definitions
        entries={[
          ['Status', <StateBadge text={status} tones={TONES} />],
          ['Kind', spoken(kind)],
          ['Named', <span class="hash">{reference}</span>],
          ['Payment', <ObjectLink mode={mode} category="payment_intent" id={payment_intent} />],
          ['Why people decide', whyOf(kind, reason)],
          ['Merchant', <MerchantLink id={merchant_id} />],
          ['Named at', <TimeOf at={created} />],
          ['Mode', <ModeBadge mode={mode} />],
          ['Id', <span class="hash">{id}</span>],
        ]}
      />
    </Card>
  );
}

/** No chain knows the own number of an exchange, so people look into each. */
function whyOf(kind: string, reason: string | null): string {
  return reason ?? (kind === 'exchange_transfer' ? 'It is the own number of an exchange.' : 'The chain alone decides.');
}
