import type { NetworkView } from '../../../src/modules/system/system-reads';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { addressEnds, networkName } from '../../words/chain-names';
import { ActionLink } from '../actions/action-link';
import { StreamLink } from '../streams/stream-link';

type Props = { readonly networks: readonly NetworkView[] };
type Coverage = NonNullable<NetworkView['coverage']>;
type HoleView = Coverage['holes'][number];
type DeferredView = Coverage['deferred'][number];
type Place = Pick<NetworkView, 'mode' | 'network'>;

const HOLE_COLUMNS = [
  { heading: 'Blocks' },
  { heading: 'Network' },
  { heading: 'Reason' },
  { heading: 'Block time' },
  { heading: 'Found' },
  { heading: 'Events' },
  { heading: 'Action' },
];

/** Blocks that were passed unread. Deadlines behind them wait. */
export function HolesCard({ networks }: Props) {
  const holes = networks.flatMap(each => (each.coverage?.holes ?? []).map(hole => ({ ...placeOf(each), hole })));
  return (
    <Card title="Holes: blocks that were passed unread" liveId="holes">
      {holes.length === 0 ? (
        <p>None. Each block was read whole.</p>
      ) : (
        <>
          <p>These blocks are tried again. The deadlines of payments behind them wait until then.</p>
          <DataTable
            name="Holes"
            columns={HOLE_COLUMNS}
            rows={holes.map(({ hole, ...place }) => ({
              key: hole.hole,
              cells: [
                blocksText(hole),
                placeText(place),
                spoken(hole.reason),
                <TimeOf key="block" at={hole.block_time} />,
                <TimeOf key="found" at={hole.opened_at} />,
                <StreamLink key="events" stream={hole.hole} text="Events" of={`of blocks ${blocksText(hole)}`} />,
                <ActionLink
                  key="close"
                  action="closeCoverageHole"
                  text="Give up"
                  target={hole.hole}
                  of={`blocks ${blocksText(hole)}`}
                />,
              ],
            }))}
          />
        </>
      )}
    </Card>
  );
}

const DEFERRED_COLUMNS = [
  { heading: 'Transaction' },
  { heading: 'Network' },
  { heading: 'Block', isNumber: true },
  { heading: 'To' },
  { heading: 'Fault' },
  { heading: 'Since' },
  { heading: 'Events' },
  { heading: 'Action' },
];

/** Transfers that met a fault of their own, and are tried again. */
export function DeferredCard({ networks }: Props) {
  const deferred = networks.flatMap(each =>
    (each.coverage?.deferred ?? []).map(transfer => ({ ...placeOf(each), transfer })),
  );
  return (
    <Card title="Transfers that are set aside" liveId="deferred">
      {deferred.length === 0 ? (
        <p>None. Each transfer has found its place.</p>
      ) : (
        <>
          <p>These transfers are tried again. The deadlines of their payments wait until then.</p>
          <DataTable
            name="Transfers that are set aside"
            columns={DEFERRED_COLUMNS}
            rows={deferred.map(({ transfer, ...place }) => ({
              key: transfer.transfer,
              cells: deferredCells(transfer, place),
            }))}
          />
        </>
      )}
    </Card>
  );
}

function deferredCells(
  { transfer, tx_hash, ordinal, block_number, to, fault, deferred_at }: DeferredView,
  place: Place,
) {
  return [
    <code key="transaction" title={tx_hash}>{`${addressEnds(tx_hash)}, ${ordinal}`}</code>,
    placeText(place),
    block_number,
    <code key="to" title={to}>
      {addressEnds(to)}
    </code>,
    spoken(fault),
    <TimeOf key="since" at={deferred_at} />,
    <StreamLink key="events" stream={transfer} text="Events" of={`of ${tx_hash}, ${ordinal}`} />,
    <ActionLink
      key="give-up"
      action="giveUpDeferredTransfer"
      text="Give up"
      target={transfer}
      of={`the transfer ${tx_hash}, ${ordinal}`}
    />,
  ] as const;
}

function placeOf({ mode, network }: NetworkView): Place {
  return { mode, network };
}

function placeText({ mode, network }: Place): string {
  return `${networkName(network)}, ${mode}`;
}

function blocksText({ block_number: from, to_number: to }: HoleView): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
