import { parseStreamName, type RecordedEvent } from '../kernel/event';
import type { Mode } from '../vocabulary/modes';
import { START_OF_LOG, type EventStore } from '../kernel/ports/event-store';
import type { NetworkId } from '../vocabulary/networks';
import { coverageHoles, type CoverageHole } from '../modules/coverage/coverage-hole.decider';
import type { CoverageHoleEvent, CoverageHoleOpened } from '../modules/coverage/coverage-hole.events';
import { deferredTransfers } from '../modules/coverage/deferred-transfer.decider';
import type { DeferredTransferEvent, TransferDeferred } from '../modules/coverage/deferred-transfer.events';

/** The set-aside places by stream ids: each open hole, and the block of each deferred transfer. */
type SetAsideInLog = {
  readonly holes: ReadonlyMap<string, CoverageHoleOpened['data']>;
  readonly deferredIn: ReadonlyMap<string, number>;
};

type SetAsideEvent = RecordedEvent<CoverageHoleEvent | DeferredTransferEvent>;

/** The set-aside places of one network by the log alone, whatever the documents say. */
export async function setAsideInLog(store: EventStore, mode: Mode, network: NetworkId): Promise<SetAsideInLog> {
  const holes = new Map<string, CoverageHole>();
  const deferrals = new Map<string, TransferDeferred['data']>();
  for await (const event of setAsideEvents(store)) {
    const { universe, id } = parseStreamName(event.stream);
    if (universe !== mode) continue;
    if (isOfHole(event)) {
      const hole = coverageHoles.evolve(holes.get(id) ?? coverageHoles.initial, event);
      if (hole.status === 'open') holes.set(id, hole);
      else holes.delete(id);
    } else if (event.type === 'TransferDeferred') deferrals.set(id, event.data);
    else deferrals.delete(id);
  }
  const open = new Map<string, CoverageHoleOpened['data']>();
  for (const [id, state] of holes)
    if (state.status !== 'none' && state.hole.network_id === network) open.set(id, state.hole);
  const deferredIn = new Map<string, number>();
  for (const [id, { network_id, block_number }] of deferrals)
    if (network_id === network) deferredIn.set(id, block_number);
  return { holes: open, deferredIn };
}

/** All events up to the log's head. */
async function* setAsideEvents(store: EventStore): AsyncIterable<SetAsideEvent> {
  const reading = new AbortController();
  const filter = { categories: [coverageHoles.category, deferredTransfers.category] };
  for await (const { events, live } of store.subscribe(filter, START_OF_LOG, reading.signal)) {
    yield* events as readonly SetAsideEvent[];
    if (live) reading.abort();
  }
}

function isOfHole(event: SetAsideEvent): event is RecordedEvent<CoverageHoleEvent> {
  return parseStreamName(event.stream).category === coverageHoles.category;
}
