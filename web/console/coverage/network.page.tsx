import type { CoverageHistoryView, NetworkView } from '../../../src/modules/system/system-reads';
import { Card, Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { Badge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { durationText } from '../../words/durations';
import { plural } from '../../words/plural';
import { LookAgain } from '../health/look-again';
import { NetworkBadge, networkWords, providerWords } from './network-words';
import { DeferredCard, HolesCard } from './set-aside-cards';

type NetworkPageView = {
  readonly network: NetworkView;
  /** Null where nobody has read the network. */
  readonly history: CoverageHistoryView | null;
  readonly atMs: number;
};

type Props = { readonly view: NetworkPageView };

/** One network in one mode: what was read, what was not, and who answers. */
export function NetworkPage({ view }: Props) {
  const { network, atMs } = view;
  const { mode, network: id } = network;
  return (
    <ConsolePage
      title={`${networkName(id)}, ${mode} mode`}
      current="coverage"
      back={{ path: 'coverage', text: 'Coverage' }}
      actions={
        <>
          <Live id="status">
            <NetworkBadge network={network} />
          </Live>
          <LookAgain path={`coverage/${mode}/${id}`} atMs={atMs} />
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          <ReadingCard network={network} />
          <GapsCard view={view} />
          <HolesCard networks={[network]} />
          <DeferredCard networks={[network]} />
        </div>
        <div class="stack">
          <ProvidersCard network={network} />
          <HistoryCard view={view} />
        </div>
      </div>
    </ConsolePage>
  );
}

function ReadingCard({ network }: Pick<NetworkPageView, 'network'>) {
  const { coverage } = network;
  const { text } = networkWords(network);
  if (coverage === null)
    return (
      <Card title="How far it is read" liveId="reading">
        <p>{text}</p>
      </Card>
    );
  return (
    <Card title="How far it is read" liveId="reading">
      <p>{text}</p>
      <Definitions
        entries={[
          ['Read up to block', String(coverage.cursor)],
          ['Sealed up to block', String(coverage.sealed_to)],
          ['Newest block that a provider told', String(coverage.head)],
          ['Told', <TimeOf key="told" at={coverage.head_told_at} />],
          ['Below the newest', plural(coverage.lag_blocks, 'block')],
          ['Behind', durationText(coverage.lag_ms)],
          ['Chain', <code key="chain">{coverage.instance}</code>],
        ]}
      />
    </Card>
  );
}

const GAPS: Readonly<Record<string, string>> = {
  unscanned: 'Never scanned',
  unlinked: 'Does not follow on the range before',
  unread: 'Passed unread',
};

function GapsCard({ view: { history } }: Props) {
  if (history === null) return null;
  return (
    <Card title="Gaps" liveId="gaps">
      {history.gaps.length === 0 ? (
        <p>None. The sealed ranges join, each by the hash of the block before it.</p>
      ) : (
        <DataTable
          name="Gaps"
          columns={[{ heading: 'Blocks' }, { heading: 'Fault' }]}
          rows={history.gaps.map(({ kind, from_number: from, to_number: to }) => ({
            key: `${kind}-${from}`,
            cells: [`${from} to ${to}`, GAPS[kind] ?? kind],
          }))}
        />
      )}
    </Card>
  );
}

function ProvidersCard({ network: { providers } }: Pick<NetworkPageView, 'network'>) {
  return (
    <Card title="Providers" liveId="providers">
      {providers.length === 0 && <p>This process asks no provider of the network.</p>}
      <ul class="states">
        {providers.map(({ host, state, answered_at: at }) => {
          const { tone, badge, text } = providerWords(state);
          return (
            <li key={host}>
              <p class="title">
                <strong>{host}</strong>
                <Badge tone={tone} text={badge} />
              </p>
              <p class="label">
                {text} {at !== null && <>Last answer: {<TimeOf at={at} />}.</>}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function HistoryCard({ view: { history } }: Props) {
  if (history === null) return null;
  const { from_number: from, sealed_to: to, ranges, providers } = history;
  return (
    <Card title="Recorded history" liveId="history">
      <Definitions
        entries={[
          ['Blocks', ranges === 0 ? 'No range is sealed yet' : `${from} to ${to}`],
          ['Sealed ranges', String(ranges)],
          ['Providers that were ever asked', providers.length === 0 ? 'None' : providers.join(', ')],
        ]}
      />
    </Card>
  );
}
