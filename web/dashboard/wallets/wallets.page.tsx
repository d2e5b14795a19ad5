import type { ComponentChild } from 'preact';
import { NETWORKS } from '../../../src/vocabulary/networks';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import { Address } from '../../parts/address';
import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Empty, NoOlder, Pager } from '../../parts/list-parts';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { tokenName } from '../../words/chain-names';
import type { Place } from '../../http/given-filters';
import { WalletBadge } from './wallet-words';

/** A wallet, with the tokens whose payments go to it. */
type ListedWallet = WalletResource & { readonly serves: readonly TokenId[] };

export type WalletsView = Place & {
  readonly wallets: readonly ListedWallet[];
  /** Live mode, where no exchange's wallet would be noticed. */
  readonly hasEmptyExchangeList: boolean;
};

const COLUMNS = [
  { heading: 'Wallet' },
  { heading: 'Status' },
  { heading: 'Network' },
  { heading: 'Receives' },
  { heading: 'Use' },
];

/** The addresses that payments can go to. */
export function WalletsPage({ view }: { readonly view: WalletsView }) {
  const paths = usePaths();
  const { wallets, next, isFirst } = view;
  const mayManage = useMay('wallet.manage');
  const add = mayManage && (
    <a class="button main" href={paths('wallets/new')}>
      <Icon name="plus" />
      Add a wallet
    </a>
  );
  return (
    <DashboardPage title="Wallets" current="wallets" actions={wallets.length > 0 || !isFirst ? add : undefined}>
      {view.hasEmptyExchangeList && <EmptyExchangeList />}
      <Live id="results">
        {wallets.length === 0 ? (
          <NoWallets isFirst={isFirst} add={add} />
        ) : (
          <>
            <DataTable name="Wallets" columns={COLUMNS} rows={wallets.map(wallet => rowOf(wallet, paths))} />
            <Pager action={paths('wallets')} next={next} isFirst={isFirst} shown={wallets.length} />
          </>
        )}
      </Live>
    </DashboardPage>
  );
}

function NoWallets({ isFirst, add }: { readonly isFirst: boolean; readonly add: ComponentChild }) {
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="wallet" objects="wallets" newest={paths('wallets')} />;
  return (
    <Empty icon="wallet" title="There is no wallet yet">
      <p>Payments go straight to a wallet of yours. Add its address, prove that it is yours, and set a route.</p>
      {add}
    </Empty>
  );
}

function rowOf(wallet: ListedWallet, paths: (path: string) => string): Row {
  const { id, label, status, network_id: network, address, dedicated, serves } = wallet;
  return {
    key: id,
    href: paths(`wallets/${id}`),
    cells: [
      <span key="name" class="named">
        <span>{label}</span> <Address address={address} />
      </span>,
      <WalletBadge key="status" status={status} />,
      NETWORKS[network].name,
      serves.length === 0 ? 'Nothing: no route' : serves.map(tokenName).join(', '),
      dedicated ? 'Dedicated' : 'Shared',
    ],
  };
}

/** The operator has not filled the list by which exchanges' wallets are refused. */
export function EmptyExchangeList() {
  return (
    <Note tone="warn" icon="triangle-alert">
      <p>
        <strong>The list of exchange wallets is empty.</strong> So no address is refused as an exchange’s. Add only
        wallets whose key you hold yourself. An address that an exchange shows you for a deposit is the exchange’s: what
        customers pay there may be lost.
      </p>
    </Note>
  );
}
