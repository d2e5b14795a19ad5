import type { Headroom, PricePoint } from '../../../src/modules/home/queries/home-view';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { Badge } from '../../parts/status-badge';
import { tokenName } from '../../words/chain-names';

/** A price of which fewer than one amount in ten is free soon finds no amount for a new payment. */
const SCARCE = 10;

/** The open payments that a wallet has room for, since each of them needs an amount of its own. */
export function HeadroomCard({ headroom }: { readonly headroom: readonly Headroom[] }) {
  const { language } = usePage();
  const paths = usePaths();
  const [first] = headroom;
  return (
    <Card title="Room for open payments" liveId="headroom">
      {first === undefined ? (
        <p>
          No route is set for an enabled token. <a href={paths('routes')}>Set routes</a>
        </p>
      ) : (
        <>
          <p>Each open payment needs an amount of its own. So many are free at your wallets, by price:</p>
          <DataTable
            name="Free amounts by token and price"
            columns={[
              { heading: 'Token' },
              ...first.points.map(({ price }) => ({ heading: `At ${language.count(Number(price))}`, isNumber: true })),
            ]}
            rows={headroom.map(({ tokenId, points }) => ({
              key: tokenId,
              cells: [tokenName(tokenId), ...points.map(point => <Free key={point.price} point={point} />)],
            }))}
          />
        </>
      )}
    </Card>
  );
}

function Free({ point: { free, of } }: { readonly point: PricePoint }) {
  const { language } = usePage();
  const text = language.count(free);
  return free * SCARCE < of ? <Badge tone="warn" text={`${text} left`} /> : <>{text}</>;
}
