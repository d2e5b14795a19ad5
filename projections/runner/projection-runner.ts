import type { LogPosition } from '../../src/kernel/log-position';
import { lagOf } from './lag';
import { ProjectionLoop, type ProjectionState, type RunnerParts } from './projection-loop';
import { SharedFeed } from './shared-feed';
import type { Projection } from '../../src/kernel/projection';

type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  /** Every event up to this position is in the documents. */
  readonly position: LogPosition;
  /** The log's last position. */
  readonly head: LogPosition;
  /**
   * The age of the oldest event that is not in the documents; 0 where all are, null where the log did not tell in time.
   */
  readonly lagMs: number | null;
  readonly eventsPerSecond: number;
  readonly state: ProjectionState;
};

/**
 * Runs each projection in a loop of its own: a poison event stops one, and the others go on. One subscription to the
 * log feeds all loops.
 */
export class ProjectionRunner {
  private readonly feed: SharedFeed;
  private readonly loops: ReadonlyMap<string, ProjectionLoop>;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: RunnerParts & { readonly projections: readonly Projection[] }) {
    const { projections } = parts;
    this.feed = new SharedFeed(
      parts,
      projections.flatMap(({ categories }) => categories),
    );
    const looped = { ...parts, feed: this.feed };
    this.loops = new Map(projections.map(projection => [projection.name, new ProjectionLoop(projection, looped)]));
    if (this.loops.size < projections.length) throw new RangeError('two projections have the same name');
  }

  /** The loops go on by themselves from here, whether or not the engines can be reached yet. */
  start(): void {
    // Each loop waits by a signal of its own: while an engine is away, all of them wait at once.
    const { signal } = this.stopping;
    const running = [this.feed, ...this.loops.values()].map(each => each.run(AbortSignal.any([signal])));
    this.running = Promise.all(running);
  }

  /** Resolves once the batches under way are written, and their checkpoints. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Projections that have stopped at an event they cannot take; readiness fails while there is one. */
  get failed(): readonly string[] {
    return [...this.loops.values()].filter(({ state }) => state === 'failed').map(({ projection }) => projection.name);
  }

  /**
   * Resolves once the projection has every event up to `position`; rejects after `timeoutMs`, or when it has stopped.
   */
  async waitFor(name: string, position: LogPosition, timeoutMs: number): Promise<void> {
    const loop = this.loops.get(name);
    if (!loop) throw new RangeError(`no projection named ${name}`);
    const waiting = new AbortController();
    const reached = loop.waiters.reach(position, waiting.signal);
    const done = new AbortController();
    void this.parts.clock.wait(timeoutMs, done.signal).then(() => waiting.abort());
    try {
      await reached;
    } finally {
      done.abort();
    }
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.parts.store.lastPosition();
    const statuses = [...this.loops.values()].map(async ({ projection, position, eventsPerSecond, state: own }) => {
      const state = own === 'live' && this.feed.isPaused ? 'waiting' : own;
      const lagMs = position >= head ? 0 : await lagOf(this.parts, projection, position).catch(() => null);
      return { name: projection.name, version: projection.version, position, head, lagMs, eventsPerSecond, state };
    });
    return Promise.all(statuses);
  }
}
