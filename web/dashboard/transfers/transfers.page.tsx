import type { UnmatchedTransferResource } from '../../../src/modules/transfers/api/unmatched-transfers.contract';
import { NETWORK_IDS, NETWORKS } from '../../../src/vocabulary/networks';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { Empty, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { addressEnds, networkName } from '../../words/chain-names';
import type { Fault, Place } from '../../http/given-filters';

export type TransfersView = Place &
  Fault & {
    readonly transfers: readonly UnmatchedTransferResource[];
    /** The network whose transfers alone are shown; null for all. */
    readonly network: string | null;
  };

const COLUMNS = [
  { heading: 'Amount', isNumber: true },
  { heading: 'Status' },
  { heading: 'Network' },
  { heading: 'From' },
  { heading: 'Candidates', isNumber: true },
  { heading: 'Came in' },
];

/** The money that has reached the merchant's wallets and counts for no payment. */
export function TransfersPage({ view }: { readonly view: TransfersView }) {
  const { transfers, network, fault, next, isFirst } = view;
  const paths = usePaths();
  const query: Readonly<Record<string, string>> = network === null ? {} : { network_id: network };
  const tab = (id: string | null, text: string) => ({
    text,
    href: paths('transfers') + (id === null ? '' : `?network_id=${id}`),
    isCurrent: id === network,
  });
  const tabs = [tab(null, 'All'), ...NETWORK_IDS.map(id => tab(id, NETWORKS[id].name))];
  return (
    <DashboardPage title="Unmatched transfers" current="transfers">
      <Tabs label="Networks" tabs={tabs} />
      <Live id="transfers" said={`${transfers.length} shown`}>
        {fault !== null && <RefusedFilter fault={fault} />}
        {transfers.length === 0 && fault === null && <NoTransfers isNarrowed={network !== null || !isFirst} />}
        {transfers.length > 0 && (
          <>
            <DataTable
              name="Unmatched transfers"
              columns={COLUMNS}
              rows={transfers.map(transfer => ({
                key: transfer.id,
                href: paths(`transfers/${transfer.id}`),
                cells: [
                  `${transfer.token_amount} ${transfer.asset_symbol}`,
                  <TransferBadge key="status" status={transfer.status} />,
                  networkName(transfer.network_id),
                  <code key="from">{addressEnds(transfer.from)}</code>,
                  String(transfer.candidates.length),
                  <TimeOf key="at" at={transfer.block_time} />,
                ],
              }))}
            />
            <Pager action={paths('transfers')} {...{ query, next, isFirst }} shown={transfers.length} />
          </>
        )}
      </Live>
    </DashboardPage>
  );
}

function NoTransfers({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const paths = usePaths();
  return (
    <Empty icon="circle-question-mark" title={isNarrowed ? 'No such transfer' : 'No unmatched transfers'}>
      {isNarrowed ? (
        <a href={paths('transfers')}>All unmatched transfers</a>
      ) : (
        <p>Money that reaches your verified wallets and fits no payment waits here for your decision.</p>
      )}
    </Empty>
  );
}

export function TransferBadge({ status }: { readonly status: string }) {
  return <Badge tone={status === 'set_aside' ? 'idle' : 'review'} text={spoken(status)} />;
}
