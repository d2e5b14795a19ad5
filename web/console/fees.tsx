import { feeAccounts, feeAdjustments, feeInvoices } from '../../src/modules/administration/api/lists/fees';
import { Card } from '../parts/card';
import { Definitions } from '../parts/definitions';
import { Tabs } from '../parts/list-parts';
import { usePaths } from '../parts/signed-context';
import { spoken, type Tone } from '../parts/status-badge';
import { TimeOf } from '../parts/time-of';
import { ActionLink } from './actions/action-link';
import type { ListPages } from './lists/list-pages';
import { Amount, MerchantLink, ModeBadge, StateBadge } from './lists/object-words';
import type { RowOf } from './lists/row-of';

const CURRENT = 'fees';
const PATHS = [
  [CURRENT, 'Outstanding'],
  ['fees/adjustments', 'Ledger'],
  ['fees/invoices', 'Fee invoices'],
] as const;
const TONES: Readonly<Record<string, Tone>> = { open: 'warn', paid: 'ok' };

function tabsOf(current: (typeof PATHS)[number][0]) {
  return function FeeTabs() {
    const paths = usePaths();
    const tabs = PATHS.map(([path, text]) => ({ text, href: paths(path), isCurrent: path === current }));
    return <Tabs label="Fees" tabs={tabs} />;
  };
}

/** The fees that no fee invoice asks for, by merchant. */
export const FEE_ACCOUNTS: ListPages<RowOf<typeof feeAccounts>> = {
  list: feeAccounts,
  path: CURRENT,
  title: 'Outstanding fees',
  icon: 'percent',
  none: 'No fee is outstanding',
  isByTime: false,
  columns: [{ heading: 'Merchant' }, { heading: 'Mode' }, { heading: 'Outstanding' }, { heading: 'Invoice' }],
  cells: ({ merchant_id, mode, outstanding }) => [
    <MerchantLink id={merchant_id} />,
    <ModeBadge mode={mode} />,
    outstanding.length === 0 ? (
      'Nothing'
    ) : (
      <ul>
        {outstanding.map(row => (
          <li key={row.currency}>
            <Amount {...row} />
          </li>
        ))}
      </ul>
    ),
    mode === 'live' &&
      outstanding.map(({ currency }) => (
        <ActionLink
          key={currency}
          action="invoiceFees"
          text={`Ask for ${currency}`}
          fields={{ merchant_id, currency }}
          of={`from ${merchant_id}`}
        />
      )),
  ],
  actions: () => <ActionLink action="adjustFees" text="Adjust fees" />,
  above: tabsOf(CURRENT),
  detail: null,
};

/** The rows of the fee ledgers. */
export const FEE_ADJUSTMENTS: ListPages<RowOf<typeof feeAdjustments>> = {
  list: feeAdjustments,
  path: 'fees/adjustments',
  current: CURRENT,
  title: 'Fee ledger',
  icon: 'percent',
  none: 'No adjustment yet',
  columns: [
    { heading: 'Amount', isNumber: true },
    { heading: 'Kind' },
    { heading: 'Merchant' },
    { heading: 'Memo' },
    { heading: 'Made' },
    { heading: 'Mode' },
  ],
  cells: ({ kind, merchant_id, memo, created, mode, ...amount }) => [
    <Amount {...amount} />,
    spoken(kind),
    <MerchantLink id={merchant_id} />,
    memo ?? 'None',
    <TimeOf at={created} />,
    <ModeBadge mode={mode} />,
  ],
  actions: () => <ActionLink action="adjustFees" text="Adjust fees" />,
  above: tabsOf('fees/adjustments'),
  detail: null,
};

/** The bills of the operator. */
export const FEE_INVOICES: ListPages<RowOf<typeof feeInvoices>> = {
  list: feeInvoices,
  path: 'fees/invoices',
  current: CURRENT,
  title: 'Fee invoices',
  icon: 'percent',
  none: 'No fee invoice yet',
  columns: [
    { heading: 'Number' },
    { heading: 'Status' },
    { heading: 'Amount', isNumber: true },
    { heading: 'Merchant' },
    { heading: 'Due' },
  ],
  cells: ({ number, status, merchant_id, due_at, ...amount }) => [
    number,
    <StateBadge text={status} tones={TONES} />,
    <Amount {...amount} />,
    <MerchantLink id={merchant_id} />,
    <TimeOf at={due_at} as="day" />,
  ],
  above: tabsOf('fees/invoices'),
  detail: {
    title: ({ number }) => number,
    actions: ({ row: { id, status } }) =>
      status === 'open' ? <ActionLink action="payFeeInvoice" text="It was paid" target={id} isMain /> : null,
    body: ({ row: { id, status, merchant_id, mode, reference, due_at, paid_at, created, ...amount } }) => (
      <Card title="Fee invoice" liveId="invoice" said={status}>
        <Definitions
          entries={[
            ['Status', <StateBadge text={status} tones={TONES} />],
            ['Amount', <Amount {...amount} />],
            ['Id', <code>{id}</code>],
            ['Merchant', <MerchantLink id={merchant_id} />],
            ['Mode', <ModeBadge mode={mode} />],
            ['Made', <TimeOf at={created} />],
            ['Due', <TimeOf at={due_at} as="day" />],
            ['Paid', paid_at === null ? 'Not yet' : <TimeOf at={paid_at} />],
            ['Reference', reference ?? 'None'],
          ]}
        />
      </Card>
    ),
  },
};
