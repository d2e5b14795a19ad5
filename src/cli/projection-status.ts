import { ALL_PROJECTIONS } from '../../projections/all';
import type { AnyProjection } from '../../projections/runner/any-projection';
import { Checkpoints, type CheckpointDocument } from '../../projections/runner/checkpoints';
import { START_OF_LOG } from '../kernel/ports/event-store';
import { table, type Answer } from './cli-command';
import { EXIT_CODES } from './terminal';
import type { Toolbox } from './toolbox';

/** By the checkpoints, which are at most a second behind a running service. */
export async function projectionStatus({ documents, clock, store }: Toolbox): Promise<Answer> {
  const checkpoints = await Checkpoints.open(documents, clock);
  const head = await store.lastPosition();
  const projections = await Promise.all(
    ALL_PROJECTIONS.map(async projection => {
      const checkpoint = (await checkpoints.load(projection.name))?.body ?? null;
      const position = checkpoint?.position ?? START_OF_LOG;
      return {
        name: projection.name,
        version: projection.version,
        stored_version: checkpoint?.version ?? null,
        position,
        lag: Math.max(head - position, 0),
        events_per_second: checkpoint?.events_per_second ?? 0,
        state: stateOf(projection, checkpoint),
        error: checkpoint?.error ?? null,
        updated_at: checkpoint?.updated_at ?? null,
      };
    }),
  );
  const rows = projections.map(({ name, version, position, lag, events_per_second, state, error }) => [
    name, `v${version}`, String(position), String(lag), String(events_per_second), error ? `${state}: ${error}` : state,
  ]); // prettier-ignore
  const lines = table([['name', 'version', 'position', 'lag', 'events/s', 'state'], ...rows]);
  const hasFailed = projections.some(({ state }) => state === 'failed');
  return { json: { head, projections }, lines, exitCode: hasFailed ? EXIT_CODES.failed : EXIT_CODES.ok };
}

function stateOf({ version }: AnyProjection, checkpoint: CheckpointDocument | null): string {
  if (!checkpoint) return 'never_run';
  return checkpoint.version === version ? checkpoint.state : 'outdated';
}
