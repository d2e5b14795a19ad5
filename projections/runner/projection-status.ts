import { parseIsoTime, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { Projection } from '../../src/kernel/projection';
import { BuildLock, type BuildProgress } from './build-lock';
import { proveCheckpoint } from './checkpoint-proof';
import { Checkpoints, type CheckpointDocument } from './checkpoints';
import { lagOf } from './lag';
import { buildingName } from './projection-build';
import { STALLED_AFTER_MS } from './projection-watch';

/** States in which an operator must act, or in which the projection makes no further progress. */
const FAULTS = ['failed', 'stalled', 'astray', 'foreign'] as const;

type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly storedVersion: number | null;
  readonly position: LogPosition;
  /** Null where the log did not tell it in time. */
  readonly lagMs: number | null;
  readonly eventsPerSecond: number;
  readonly state: string;
  readonly isAtFault: boolean;
  readonly error: string | null;
  readonly updatedAt: string | null;
  /** The rebuild that is under way, in whichever process. */
  readonly rebuild: BuildProgress | null;
};

type Means = { readonly store: EventStore; readonly documents: Documents; readonly clock: Clock };

/** Told by the checkpoints, which are at most a second behind a running service. */
export async function projectionStatuses(
  means: Means,
  projections: readonly Projection[],
): Promise<readonly ProjectionStatus[]> {
  const checkpoints = await Checkpoints.open(means.documents, means.clock);
  return Promise.all(
    projections.map(async projection =>
      statusOf(means, projection, (await checkpoints.load(projection.name))?.body ?? null),
    ),
  );
}

async function statusOf(
  { store, documents, clock }: Means,
  projection: Projection,
  checkpoint: CheckpointDocument | null,
): Promise<ProjectionStatus> {
  const proof = checkpoint && (await proveCheckpoint(store, checkpoint));
  const position = checkpoint?.position ?? START_OF_LOG;
  const isSound = proof === 'sound' || proof === null;
  const lagMs = isSound ? await lagOf({ store, clock }, projection, position) : null;
  const state = checkpoint && !isSound ? proof : stateOf(projection, checkpoint, lagMs, clock.now());
  return {
    name: projection.name,
    version: projection.version,
    storedVersion: checkpoint?.version ?? null,
    position,
    lagMs,
    eventsPerSecond: checkpoint?.events_per_second ?? 0,
    state,
    isAtFault: (FAULTS as readonly string[]).includes(state),
    error: checkpoint?.error ?? null,
    updatedAt: checkpoint?.updated_at ?? null,
    rebuild: await BuildLock.underWay(documents, clock, buildingName(projection)),
  };
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
