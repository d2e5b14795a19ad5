import { ALL_PROJECTIONS } from '../../projections/all';
import { projectionStatuses } from '../../projections/runner/projection-status';
import { SECOND_MS } from '../kernel/clock';
import { table, type Answer } from './cli-command';
import { EXIT_CODES } from './terminal';
import type { Toolbox } from './toolbox';

export async function projectionStatus(toolbox: Toolbox): Promise<Answer> {
  const head = await toolbox.store.lastPosition();
  const statuses = await projectionStatuses(toolbox, ALL_PROJECTIONS);
  const projections = statuses.map(({ name, version, position, lagMs, state, error, rebuild, ...status }) => ({
    name,
    version,
    stored_version: status.storedVersion,
    position,
    lag_seconds: lagMs === null ? null : Math.ceil(lagMs / SECOND_MS),
    events_per_second: status.eventsPerSecond,
    state,
    error,
    updated_at: status.updatedAt,
    rebuild: rebuild && { begun_at: rebuild.begun_at, reached_at: rebuild.reached_at },
  }));
  const rows = projections.map(({ name, version, position, lag_seconds, events_per_second, state, error, rebuild }) => [
    name, `v${version}`, String(position), lag_seconds === null ? '?' : `${lag_seconds} s`, String(events_per_second),
    `${error ? `${state}: ${error}` : state}${rebuild ? `, rebuilding: at ${rebuild.reached_at ?? 'the start'}` : ''}`,
  ]); // prettier-ignore
  const lines = table([['name', 'version', 'position', 'lag', 'events/s', 'state'], ...rows]);
  const isAtFault = statuses.some(status => status.isAtFault);
  return { json: { head, projections }, lines, exitCode: isAtFault ? EXIT_CODES.failed : EXIT_CODES.ok };
}
