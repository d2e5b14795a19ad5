import { parseIsoTime, type Clock } from '../kernel/clock';
import { streamName } from '../kernel/event';
import type { SystemCommands } from '../kernel/system-commands';
import { findGaps } from '../modules/coverage/coverage-gaps';
import { coverageHoles } from '../modules/coverage/coverage-hole.decider';
import { deferredTransfers } from '../modules/coverage/deferred-transfer.decider';
import type { Mode } from '../vocabulary/modes';
import type { NetworkId } from '../vocabulary/networks';
import type { WatchPolicy } from '../vocabulary/watch-policy';
import { CoverageHistory } from './coverage-history';
import { isTooOld, type CoverageDocument } from './coverage-record';
import { scannedMs } from './frontiers';
import type { SetAside } from './set-aside-lists';

type Means = { readonly clock: Pick<Clock, 'now'> };

/** A network, and how this deployment watches it, or would. */
export type ReportedNetwork = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: Pick<WatchPolicy, 'paidAt'>;
  readonly isWatched: boolean;
};

/** How far a network is read, by the record that all processes share. */
export function coverageStanding(
  { clock }: Means,
  { mode, policy, isWatched }: ReportedNetwork,
  body: CoverageDocument,
  setAside: SetAside,
) {
  const { instance, number, sealed_to, head_number, head_told_at, is_waiting } = body;
  const { holes, deferred } = shownSetAside(mode, instance, setAside);
  const coveredMs = scannedMs(policy, body);
  return {
    ...{ instance, sealed_to },
    cursor: number,
    /** The newest head that a provider told, `head_age_ms` ago: the chain may be far ahead of it by now. */
    head: head_number,
    head_told_at,
    head_age_ms: Math.max(0, clock.now() - parseIsoTime(head_told_at)),
    lag_blocks: Math.max(0, head_number - number),
    lag_ms: Math.max(0, clock.now() - coveredMs),
    /** False as well where this deployment no longer watches the network. */
    is_behind: isWatched && isTooOld(coveredMs, clock.now()),
    ...{ is_waiting, holes, deferred },
  };
}

/** The same with the whole recorded history of the network: the ranges, the providers, and the gaps. */
export async function wholeCoverage(
  { commands, ...means }: Means & { readonly commands: SystemCommands },
  reported: ReportedNetwork,
  body: CoverageDocument,
  setAside: SetAside,
) {
  const standing = coverageStanding(means, reported, body, setAside);
  const history = new CoverageHistory(reported.mode, reported.network, body.instance, commands);
  const events = await history.events(body.sealed_to);
  const start = events.find(event => event.type === 'CoverageStarted');
  const unread = standing.holes.map(({ block_number, to_number }) => ({ from_number: block_number, to_number }));
  return {
    ...{ mode: reported.mode, network: reported.network, ...standing },
    /** All providers that were ever asked. */
    providers: [...new Set(events.flatMap(({ type, data }) => (type === 'CoverageStarted' ? [] : data.providers)))],
    ranges: events.filter(({ type }) => type === 'CoverageSealed').length,
    from_number: (start?.data.number ?? body.sealed_to) + 1,
    gaps: findGaps(events, body.sealed_to, unread),
  };
}

/** Holes of another instance say nothing of this one's coverage. */
function shownSetAside(mode: Mode, instance: string, { holes, deferred }: SetAside) {
  const own = holes.filter(({ body }) => body.instance === instance);
  return {
    holes: own.map(({ id, body }) => {
      const { block_number, to_number, block_hash, block_time, reason, tx_hash, opened_at } = body;
      const hole = streamName(mode, coverageHoles.category, id);
      return { hole, block_number, to_number, block_hash, block_time, reason, tx_hash, opened_at };
    }),
    deferred: deferred.map(({ id, body }) => {
      const { block_number, tx_hash, ordinal, to, value_base_units, fault, deferred_at } = body;
      const transfer = streamName(mode, deferredTransfers.category, id);
      return { transfer, block_number, tx_hash, ordinal, to, value_base_units, fault, deferred_at };
    }),
  };
}
