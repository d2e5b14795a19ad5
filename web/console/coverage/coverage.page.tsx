import type { NetworkView } from '../../../src/modules/system/system-reads';
import type { Mode } from '../../../src/vocabulary/modes';
import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { networkName } from '../../words/chain-names';
import { durationText } from '../../words/durations';
import { LookAgain } from '../health/look-again';
import { DeferredCard, HolesCard } from './set-aside-cards';
import { NetworkBadge, providersText } from './network-words';

type CoverageView = { readonly networks: readonly NetworkView[]; readonly atMs: number };

const COLUMNS = [
  { heading: 'Network' },
  { heading: 'State' },
  { heading: 'Read up to', isNumber: true },
  { heading: 'Behind' },
  { heading: 'Holes', isNumber: true },
  { heading: 'Set aside', isNumber: true },
  { heading: 'Providers' },
];

/** How far each network is read in each mode, and what could not be read. */
export function CoveragePage({ view: { networks, atMs } }: { readonly view: CoverageView }) {
  const modes = [...new Set(networks.map(({ mode }) => mode))];
  return (
    <ConsolePage title="Coverage" current="coverage" actions={<LookAgain path="coverage" atMs={atMs} />}>
      {networks.length === 0 && <Empty icon="layers" title="No mode is served" />}
      {modes.map(mode => (
        <ModeCard key={mode} mode={mode} networks={networks.filter(each => each.mode === mode)} />
      ))}
      <HolesCard networks={networks} />
      <DeferredCard networks={networks} />
    </ConsolePage>
  );
}

function ModeCard({ mode, networks }: { readonly mode: Mode; readonly networks: readonly NetworkView[] }) {
  const paths = usePaths();
  return (
    <Card title={`${spoken(mode)} mode`} liveId={`mode-${mode}`}>
      <DataTable
        name={`Networks of ${mode} mode`}
        columns={COLUMNS}
        rows={networks.map(each => ({
          key: each.network,
          href: paths(`coverage/${mode}/${each.network}`),
          cells: [
            networkName(each.network),
            <NetworkBadge key="state" network={each} />,
            each.coverage?.cursor ?? '–',
            each.coverage === null ? '–' : durationText(each.coverage.lag_ms),
            each.coverage?.holes.length ?? '–',
            each.coverage?.deferred.length ?? '–',
            providersText(each.providers),
          ],
        }))}
      />
    </Card>
  );
}
