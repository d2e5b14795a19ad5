import { merchants } from '../../../src/modules/administration/api/lists/merchants';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import { usePaths } from '../../parts/signed-context';
import type { Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { percentOfBps } from '../../words/percent';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { Cents, StateBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';
import { StopsTable } from './stops-table';

type Merchant = RowOf<typeof merchants>;
const TONES: Readonly<Record<string, Tone>> = { active: 'ok', disabled: 'bad', closed: 'idle' };

/** All accounts. */
export const MERCHANTS: ListPages<Merchant> = {
  list: merchants,
  path: 'merchants',
  title: 'Merchants',
  icon: 'wallet',
  none: 'No merchant yet',
  columns: [
    { heading: 'Name' },
    { heading: 'Status' },
    { heading: 'Stops', isNumber: true },
    { heading: 'Id' },
    { heading: 'Created' },
  ],
  cells: ({ id, name, status, stops, created }) => [
    name,
    <StateBadge text={status} tones={TONES} />,
    String(stops.length),
    <code>{id}</code>,
    <TimeOf at={created} />,
  ],
  detail: {
    title: ({ name }) => name,
    actions: ({ row: { id, status, payment_ceiling_usd, fee_bps } }) => (
      <>
        {status === 'active' && <ActionLink action="suspendMerchant" text="Suspend" target={id} isDanger />}
        {status === 'disabled' && <ActionLink action="resumeMerchant" text="Resume" target={id} isMain />}
        {status !== 'closed' && <ActionLink action="closeMerchant" text="Close" target={id} isDanger />}
        {status !== 'closed' && (
          <ActionLink
            action="setMerchantLimits"
            text="Set limits"
            target={id}
            fields={{ payment_ceiling_usd, fee_bps: String(fee_bps) }}
          />
        )}
      </>
    ),
    body: MerchantBody,
  },
};

function MerchantBody({ row }: { readonly row: Merchant }) {
  const { id, email, status, disabled_reason, closed_reason, payment_ceiling_usd, fee_bps, stops, pauses } = row;
  return (
    <>
      <div class="columns even">
        <Card title="Account" liveId="account" said={status}>
          <Definitions
            entries={[
              ['Status', <StateBadge text={status} tones={TONES} />],
              ['Reason', closed_reason ?? disabled_reason ?? 'None'],
              ['Id', <code>{id}</code>],
              ['E-mail address', email],
              ['Time zone', row.time_zone],
              ['Created', <TimeOf at={row.created} />],
            ]}
          />
        </Card>
        <Card title="Limits" liveId="limits">
          <Definitions
            entries={[
              ['Greatest payment', <Cents amount={payment_ceiling_usd} />],
              ['Fee', `${percentOfBps(fee_bps)}%`],
              ['Live mode pauses', pauses.length === 0 ? 'No unpaid fee invoice' : <Pauses pauses={pauses} />],
            ]}
          />
        </Card>
      </div>
      <Card title="Stops of new payments" liveId="stops">
        <StopsTable scope="merchant" subject={id} stops={stops} />
        <p>
          <ActionLink
            action="setKillSwitch"
            text="Stop new payments"
            fields={{ scope: 'merchant', subject: id }}
            isDanger
          />
        </p>
      </Card>
      <Elsewhere id={id} />
    </>
  );
}

function Pauses({ pauses }: Pick<Merchant, 'pauses'>) {
  return (
    <ul>
      {pauses.map(({ fee_invoice: invoice, pauses_at: at }) => (
        <li key={invoice}>
          <code>{invoice}</code>, on <TimeOf at={at} as="day" />
        </li>
      ))}
    </ul>
  );
}

/** The merchant's rows of other lists. */
function Elsewhere({ id }: { readonly id: string }) {
  const paths = usePaths();
  const ways = [
    ['kyb', 'Verification'],
    ['holds', 'Holds'],
    ['reviews', 'Reviews'],
    ['transfers', 'Unmatched transfers'],
    ['claims', 'Named transactions'],
    ['fees', 'Fees'],
    ['fees/invoices', 'Fee invoices'],
  ] as const;
  return (
    <Card title="Of this merchant">
      <ul class="bullets">
        {ways.map(([path, text]) => (
          <li key={path}>
            <a href={`${paths(path)}?merchant=${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
