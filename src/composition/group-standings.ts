import { lagAfter } from '../../projections/runner/lag';
import type { EventStore } from '../kernel/ports/event-store';
import { GROUP_NAMES, type GroupName } from '../modules/system/group-names';
import type { GroupView, ParkedMessageView } from '../modules/system/system-reads';
import { GROUPS } from '../processes/groups';
import type { Core } from './core';

/** Parked messages of a group that are shown. */
const PARKED_SHOWN = 50;

export function groupStandings({ store, clock }: Pick<Core, 'store' | 'clock'>): Promise<readonly GroupView[]> {
  return Promise.all(
    GROUP_NAMES.map(async group => {
      const { parked, lastPosition } = await store.groupStatus(group);
      return { group, parked, lag_ms: await lagAfter({ store, clock }, GROUPS[group].filter, lastPosition) };
    }),
  );
}

export async function parkedMessages(
  store: Pick<EventStore, 'parkedEvents'>,
  group: GroupName,
): Promise<readonly ParkedMessageView[]> {
  const events = await store.parkedEvents(group, PARKED_SHOWN);
  return events.map(({ id, stream, revision, type, metadata }) => {
    return { event: id, stream, revision, type, recorded_at: metadata.recorded_at };
  });
}
