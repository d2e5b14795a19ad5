import type { HeadroomView, LimitView } from '../../../src/modules/system/system-reads';
import { isTokenId } from '../../../src/vocabulary/tokens';
import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { usePage } from '../../parts/page-context';
import { Badge, spoken } from '../../parts/status-badge';
import { addressEnds, tokenName } from '../../words/chain-names';
import { HealthTabs } from './health-tabs';
import { LookAgain } from './look-again';

type LimitsView = {
  readonly limits: readonly LimitView[];
  readonly headroom: readonly HeadroomView[];
  readonly atMs: number;
};

/** A price of which fewer than one amount in ten is free soon finds no amount for a new payment. */
const SCARCE = 10;

/** The limits of the whole service, and the addresses that are closest to theirs. */
export function LimitsPage({ view: { limits, headroom, atMs } }: { readonly view: LimitsView }) {
  return (
    <ConsolePage title="Limits" current="health" actions={<LookAgain path="health/limits" atMs={atMs} />}>
      <HealthTabs current="health/limits" />
      <HeadroomCard headroom={headroom} />
      <LimitsCard limits={limits} />
    </ConsolePage>
  );
}

function HeadroomCard({ headroom }: Pick<LimitsView, 'headroom'>) {
  return (
    <Card title="Free amounts by price" liveId="headroom">
      <p>
        Each open payment at an address needs an amount of its own near its price. Each row tells the price at which the
        fewest are free. The tightest come first.
      </p>
      {headroom.length === 0 ? (
        <p>No amount is taken.</p>
      ) : (
        <DataTable
          name="Free amounts"
          columns={[
            { heading: 'Address' },
            { heading: 'Token' },
            { heading: 'Mode' },
            { heading: 'Price', isNumber: true },
            { heading: 'Free', isNumber: true },
            { heading: 'Of', isNumber: true },
          ]}
          rows={headroom.map(each => ({
            key: `${each.mode} ${each.address} ${each.token_id}`,
            cells: [
              <code key="address" title={each.address}>
                {addressEnds(each.address)}
              </code>,
              isTokenId(each.token_id) ? tokenName(each.token_id) : each.token_id,
              spoken(each.mode),
              each.price,
              <Free key="free" headroom={each} />,
              <Count key="of" value={each.of} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

function Free({ headroom: { free, of } }: { readonly headroom: HeadroomView }) {
  const { language } = usePage();
  const text = language.count(free);
  return free * SCARCE < of ? <Badge tone="warn" text={text} /> : <>{text}</>;
}

function Count({ value }: { readonly value: number }) {
  const { language } = usePage();
  return <>{language.count(value)}</>;
}

function LimitsCard({ limits }: Pick<LimitsView, 'limits'>) {
  return (
    <Card title="Limits in force" liveId="limits">
      <p>These hold for everybody. A merchant’s own limits stand with the merchant.</p>
      <DataTable
        name="Limits in force"
        columns={[
          { heading: 'Limit' },
          { heading: 'Value', isNumber: true },
          { heading: 'Unit' },
          { heading: 'Set by' },
        ]}
        rows={limits.map(({ limit, value, unit, set_by: setBy }) => ({
          key: limit,
          cells: [
            spoken(limit).replace('.', ': '),
            <Count key="value" value={value} />,
            unit,
            setBy === 'configuration' ? 'Configuration' : 'The program',
          ],
        }))}
      />
    </Card>
  );
}
