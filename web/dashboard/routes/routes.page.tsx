import type { RouteResource } from '../../../src/modules/routes/api/routes.contract';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { TOKENS, type TokenId } from '../../../src/vocabulary/tokens';
import { Card } from '../../parts/card';
import { useMay, useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, type Option } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { Badge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { addressEnds, tokenName } from '../../words/chain-names';

/** A pair of asset and network, with the wallets that its payments can go to. */
export type RoutedPair = {
  readonly tokenId: TokenId;
  readonly route: RouteResource | null;
  /** The wallet of the route; null without a route. */
  readonly wallet: WalletResource | null;
  /** The verified wallets on the pair's network, that of the route among them. */
  readonly choices: readonly WalletResource[];
};

/** The wallet that each token's payments go to. */
export function RoutesPage({ pairs }: { readonly pairs: readonly RoutedPair[] }) {
  const mayManage = useMay('route.manage');
  return (
    <DashboardPage title="Routes" current="routes">
      <DataTable name="Routes" columns={COLUMNS} rows={pairs.map(rowOf)} />
      {mayManage && (
        <div class="columns">
          <div class="stack">
            <RoutesForm pairs={pairs} />
          </div>
          <div class="stack">
            <NextStep pairs={pairs} />
            <Rules />
          </div>
        </div>
      )}
    </DashboardPage>
  );
}

const COLUMNS = [{ heading: 'Payments in' }, { heading: 'Go to' }, { heading: 'State' }];

function rowOf({ tokenId, route, wallet }: RoutedPair) {
  return {
    key: tokenId,
    cells: [tokenName(tokenId), <Target key="wallet" wallet={wallet} />, <State key="state" route={route} />],
  } as const;
}

function Target({ wallet }: Pick<RoutedPair, 'wallet'>) {
  const paths = usePaths();
  if (wallet === null) return <>Nowhere</>;
  return (
    <>
      <a href={paths(`wallets/${wallet.id}`)}>{wallet.label}</a>, <bdi dir="ltr">{addressEnds(wallet.address)}</bdi>
    </>
  );
}

function State({ route }: Pick<RoutedPair, 'route'>) {
  if (route === null) return <Badge tone="idle" text="Not offered to customers" />;
  if (route.cooling_down_until === null) return <Badge tone="ok" text="Set" />;
  return (
    <>
      <Badge tone="warn" text="Cooling down" /> until <TimeOf at={route.cooling_down_until} />
    </>
  );
}

function RoutesForm({ pairs }: { readonly pairs: readonly RoutedPair[] }) {
  const paths = usePaths();
  if (pairs.every(({ choices }) => choices.length === 0))
    return (
      <Card title="Set the routes">
        <p>A route leads to a verified wallet, and there is none yet.</p>
        <p>
          <a class="button main" href={paths('wallets')}>
            Go to the wallets
          </a>
        </p>
      </Card>
    );
  return (
    <Card title="Set the routes">
      <SignedForm action={paths('routes')} asksCode>
        {pairs.map(pair => (
          <PairField key={pair.tokenId} {...pair} />
        ))}
        <Submit>Set the routes</Submit>
      </SignedForm>
    </Card>
  );
}

function PairField({ tokenId, route, choices }: RoutedPair) {
  const paths = usePaths();
  const { name } = NETWORKS[TOKENS[tokenId].network];
  if (choices.length === 0)
    return (
      <div>
        <p>
          <strong>{tokenName(tokenId)}</strong>
        </p>
        <p class="label">
          You have no verified wallet on {name}. <a href={paths('wallets/new')}>Add one</a>
        </p>
      </div>
    );
  const until = route?.cooling_down_until ?? null;
  const shown = until === null ? choices : choices.filter(({ id }) => id === route?.wallet_id);
  return (
    <SelectField
      name={tokenId}
      label={tokenName(tokenId)}
      hint={
        until === null ? undefined : (
          <>
            Changed lately: it cannot be changed again before <TimeOf at={until} />.
          </>
        )
      }
      options={[...(route === null ? [NO_ROUTE] : []), ...shown.map(optionOf)]}
      value={route?.wallet_id ?? ''}
      isOptional={route === null}
    />
  );
}

const NO_ROUTE: Option = { value: '', text: 'No route yet' };

function optionOf({ id, label, address }: WalletResource): Option {
  return { value: id, text: `${label}, ${addressEnds(address)}` };
}

/** The way on, once a payment can be paid: in test mode, anybody can play its customer. */
function NextStep({ pairs }: { readonly pairs: readonly RoutedPair[] }) {
  const paths = usePaths();
  const { mode } = useReader();
  const mayPlay = useMay('sandbox.use');
  if (mode !== 'test' || !mayPlay || pairs.every(({ route }) => route === null)) return null;
  return (
    <Card title="See it work">
      <p>Play a customer who pays to your wallet. Nothing real moves.</p>
      <p>
        <a class="button" href={paths('simulate')}>
          Simulate a payment
        </a>
      </p>
    </Card>
  );
}

function Rules() {
  return (
    <Card title="Before you change a route">
      <ul class="bullets">
        <li>All changes of the form are made together, or none.</li>
        <li>A payment whose price is locked already still goes to the wallet of before.</li>
        <li>
          A changed route cannot be changed again for 24 hours, so that you have time to notice a stranger’s change.
        </li>
        <li>A mail tells your account of each change.</li>
      </ul>
    </Card>
  );
}
