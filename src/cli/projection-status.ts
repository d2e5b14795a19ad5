import { ALL_PROJECTIONS } from '../../projections/all';
import type { Projection } from '../kernel/projection';
import { proveCheckpoint } from '../../projections/runner/checkpoint-proof';
import { Checkpoints, type CheckpointDocument } from '../../projections/runner/checkpoints';
import { lagOf } from '../../projections/runner/lag';
import { STALLED_AFTER_MS } from '../../projections/runner/projection-watch';
import { parseIsoTime, SECOND_MS } from '../kernel/clock';
import { START_OF_LOG } from '../kernel/ports/event-store';
import { table, type Answer } from './cli-command';
import { EXIT_CODES } from './terminal';
import type { Toolbox } from './toolbox';

/** States in which an operator must act, or in which the projection makes no further progress. */
const FAULTS: readonly string[] = ['failed', 'stalled', 'astray', 'foreign'];

/** Told by the checkpoints, which are at most a second behind a running service. */
export async function projectionStatus({ documents, clock, store }: Toolbox): Promise<Answer> {
  const checkpoints = await Checkpoints.open(documents, clock);
  const head = await store.lastPosition();
  const now = clock.now();
  const projections = await Promise.all(
    ALL_PROJECTIONS.map(async projection => {
      const checkpoint = (await checkpoints.load(projection.name))?.body ?? null;
      const proof = checkpoint && (await proveCheckpoint(store, checkpoint));
      const position = checkpoint?.position ?? START_OF_LOG;
      const lagMs = proof === 'sound' || proof === null ? await lagOf({ store, clock }, projection, position) : null;
      return {
        name: projection.name,
        version: projection.version,
        stored_version: checkpoint?.version ?? null,
        position,
        lag_seconds: lagMs === null ? null : Math.ceil(lagMs / SECOND_MS),
        events_per_second: checkpoint?.events_per_second ?? 0,
        state: checkpoint && proof && proof !== 'sound' ? proof : stateOf(projection, checkpoint, lagMs, now),
        error: checkpoint?.error ?? null,
        updated_at: checkpoint?.updated_at ?? null,
      };
    }),
  );
  const rows = projections.map(({ name, version, position, lag_seconds, events_per_second, state, error }) => [
    name, `v${version}`, String(position), lag_seconds === null ? '?' : `${lag_seconds} s`, String(events_per_second),
    error ? `${state}: ${error}` : state,
  ]); // prettier-ignore
  const lines = table([['name', 'version', 'position', 'lag', 'events/s', 'state'], ...rows]);
  const isAtFault = projections.some(({ state }) => FAULTS.includes(state));
  return { json: { head, projections }, lines, exitCode: isAtFault ? EXIT_CODES.failed : EXIT_CODES.ok };
}

function stateOf(
  { version }: Projection,
  checkpoint: CheckpointDocument | null,
  lagMs: number | null,
  now: number,
): string {
  if (!checkpoint) return 'never_run';
  if (checkpoint.version !== version) return 'outdated';
  // A checkpoint is written whenever it moves.
  const stoodMs = now - parseIsoTime(checkpoint.updated_at);
  const isBehind = (lagMs ?? Infinity) >= STALLED_AFTER_MS;
  return checkpoint.state === 'following' && isBehind && stoodMs >= STALLED_AFTER_MS ? 'stalled' : checkpoint.state;
}
