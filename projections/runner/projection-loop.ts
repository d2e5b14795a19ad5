import { SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import { START_OF_LOG, type EventBatch, type EventStore } from '../../src/kernel/ports/event-store';
import type { Collection, Documents } from '../../src/kernel/ports/documents';
import type { Log } from '../../src/kernel/ports/log';
import type { DocumentChange, Projection } from '../../src/kernel/projection';
import { CHECKPOINT_EVERY_MS, CheckpointKeeper } from './checkpoint-keeper';
import { ForeignDocuments, proveCheckpoint } from './checkpoint-proof';
import { Checkpoints } from './checkpoints';
import { readChanges, writeChanges } from './document-changes';
import type { OnPassed } from './feed-seat';
import type { MirrorsUnderWay } from './mirrors-under-way';
import { isDefect, PoisonEvent } from './poison-event';
import { PositionWaiters } from './position-waiters';
import { collectionSpec } from './projection-collection';
import { rebuildProjection } from './rebuild';
import { RestartTrail } from './restart-trail';
import type { SharedFeed } from './shared-feed';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;

export type ProjectionState =
  'starting' | 'rebuilding' | 'catching_up' | 'live' | 'waiting' | 'failed' | 'superseded' | 'stopped';

export type RunnerParts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly log: Log;
  readonly clock: Clock;
  /** Absent where no command of this process writes mirrors. */
  readonly mirrors?: Pick<MirrorsUnderWay, 'written'>;
};

type LoopParts = RunnerParts & {
  /** Gives the log's events to all loops of the process. */
  readonly feed: Pick<SharedFeed, 'subscribe'>;
};

/** The reason why following ended: the collection was switched, or the subscription ended by itself. */
type End = 'switched' | 'ended';

/** One projection's serial loop: events in, documents written, then the checkpoint. */
export class ProjectionLoop {
  state: ProjectionState = 'starting';
  position = START_OF_LOG;
  eventsPerSecond = 0;
  readonly waiters: PositionWaiters;
  private trail = new RestartTrail(START_OF_LOG);
  private hasFollowed = false;
  private handled = 0;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    readonly projection: Projection,
    private readonly parts: LoopParts,
  ) {
    this.waiters = new PositionWaiters(projection.name);
  }

  get restartFrom(): LogPosition {
    return this.trail.restartFrom;
  }

  /** Resolves when `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    const projection = this.projection.name;
    while (!signal.aborted) {
      try {
        if ((await this.follow(signal)) === 'switched' || signal.aborted) continue;
        log.warn({ projection }, 'a projection lost its subscription');
      } catch (error) {
        if (signal.aborted) break;
        if (isDefect(error)) {
          await this.stopLoudly(error as Error, signal);
          continue;
        }
        log.warn({ projection, err: error, retry_in_ms: this.pauseMs }, 'a projection was interrupted');
      }
      this.state = 'waiting';
      await clock.wait(this.pauseMs, signal);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    }
    this.state = 'stopped';
    this.waiters.fail(`${projection} has stopped`);
  }

  private async follow(signal: AbortSignal): Promise<End> {
    const { feed, documents } = this.parts;
    const checkpoint = await this.openCheckpoint();
    const position = await this.startingPosition(checkpoint, signal);
    if (position === null) return 'ended';
    const collection = await documents.open(collectionSpec(this.projection));
    this.begin(position);
    const leaving = new AbortController();
    const until = AbortSignal.any([signal, leaving.signal]);
    const keeping = this.keep(checkpoint, until, leaving);
    let end: End = 'ended';
    try {
      const { categories } = this.projection;
      const onPassed: OnPassed = (to, live) => this.pass(to, live);
      for await (const batch of feed.subscribe({ categories }, position, until, onPassed)) {
        if (!(await this.take(batch, collection, checkpoint))) {
          end = 'switched';
          break;
        }
        this.pauseMs = FIRST_PAUSE_MS;
      }
    } finally {
      leaving.abort();
      if ((await keeping) === 'switched') end = 'switched';
      // A lost checkpoint costs repeated events only.
      await checkpoint.save(this).catch(() => false);
    }
    return end;
  }

  private async openCheckpoint(): Promise<CheckpointKeeper> {
    const { store, documents, clock } = this.parts;
    return new CheckpointKeeper(await Checkpoints.open(documents, clock), this.projection, clock, store);
  }

  /**
   * Null when `signal` aborted. Documents of another version, or of events that the log does not hold, are rebuilt
   * first; the old ones are read until then. Throws ForeignDocuments.
   */
  private async startingPosition(checkpoint: CheckpointKeeper, signal: AbortSignal): Promise<LogPosition | null> {
    const { store, clock, log } = this.parts;
    const { name, version } = this.projection;
    for (;;) {
      const standing = await checkpoint.standing(signal);
      if (!standing) return null;
      const proof = await proveCheckpoint(store, standing);
      if (proof === 'foreign') throw new ForeignDocuments(name);
      if (standing.version === version && proof === 'sound') return standing.restart_from;
      if (standing.version === version)
        log.error({ projection: name, position: standing.position }, 'the log does not hold the event of a checkpoint');
      if (this.hasFollowed && standing.version > version) {
        // A newer program has rebuilt the documents: rebuilding them back would start a quarrel.
        if (this.state !== 'superseded')
          log.warn({ projection: name }, 'a projection was taken over by a newer version');
        this.state = 'superseded';
        await clock.wait(CHECKPOINT_EVERY_MS, signal);
      } else {
        this.state = 'rebuilding';
        log.info({ projection: name, from_version: standing.version, version }, 'a projection is being rebuilt');
        const { position, events } = await rebuildProjection({ ...this.parts, projection: this.projection, signal });
        log.info({ projection: name, position, events }, 'a projection was rebuilt');
      }
    }
  }

  private begin(position: LogPosition): void {
    this.position = position;
    this.trail = new RestartTrail(position);
    this.hasFollowed = true;
    this.state = 'catching_up';
    this.waiters.arrive(position);
  }

  /**
   * False when the collection was switched, so that documents read from it may be incomplete: see rebuildProjection.
   */
  private async take(batch: EventBatch, collection: Collection, checkpoint: CheckpointKeeper): Promise<boolean> {
    if (batch.events.length > 0) {
      // A document that its command has written is not folded and written once more.
      if (this.projection.mirrors) await this.parts.mirrors?.written();
      const changes = await this.changesOf(batch, collection, checkpoint);
      if (changes.length > 0) {
        if (!(await checkpoint.isCurrent())) return false;
        await writeChanges(collection, changes);
      }
    }
    this.handled += batch.events.length;
    this.trail.took(batch.events);
    this.pass(batch.position, batch.live);
    return true;
  }

  private pass(position: LogPosition, live: boolean): void {
    this.position = position;
    this.state = live ? 'live' : 'catching_up';
    this.waiters.arrive(position);
  }

  /** The events before a poison event are still written, so that the position says where it is. */
  private async changesOf(
    batch: EventBatch,
    collection: Collection,
    checkpoint: CheckpointKeeper,
  ): Promise<readonly DocumentChange[]> {
    try {
      return await readChanges(this.projection, collection, batch.events);
    } catch (error) {
      if (error instanceof PoisonEvent) {
        const { position } = error.event;
        const events = batch.events.filter(event => event.position < position);
        const last = events.at(-1);
        if (last) await this.take({ events, position: last.position, live: false }, collection, checkpoint);
      }
      throw error;
    }
  }

  /**
   * Writes the checkpoint now and then, and notices a switch while no events come. Ends the subscription at its own
   * end.
   */
  private async keep(checkpoint: CheckpointKeeper, until: AbortSignal, leaving: AbortController): Promise<End> {
    const { clock, log } = this.parts;
    let handledBefore = this.handled;
    let savedAt = clock.now();
    try {
      for (;;) {
        await clock.wait(CHECKPOINT_EVERY_MS, until);
        if (until.aborted) return 'ended';
        const elapsedMs = Math.max(clock.now() - savedAt, 1);
        this.eventsPerSecond = Math.round(((this.handled - handledBefore) * SECOND_MS) / elapsedMs);
        handledBefore = this.handled;
        savedAt = clock.now();
        if (!(await checkpoint.save(this))) return 'switched';
      }
    } catch (error) {
      log.warn({ projection: this.projection.name, err: error }, 'a checkpoint could not be written');
      return 'ended';
    } finally {
      leaving.abort();
    }
  }

  /** Other projections go on. A rebuild, by whatever process, sets this one going again. */
  private async stopLoudly(error: Error, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    const { name } = this.projection;
    this.state = 'failed';
    this.eventsPerSecond = 0;
    log.error({ projection: name, position: this.position, err: error }, 'a projection has stopped');
    this.waiters.fail(error.message);
    let checkpoint: CheckpointKeeper | null = null;
    let isNoted = false;
    while (!signal.aborted) {
      try {
        if (!checkpoint) {
          const opened = await this.openCheckpoint();
          if (await opened.standing(signal)) checkpoint = opened;
        }
        if (checkpoint && !(await checkpoint.isCurrent())) return;
        isNoted ||= (await checkpoint?.noteFailure(error.message)) ?? false;
      } catch (failure) {
        log.warn({ projection: name, err: failure }, 'a checkpoint could not be written');
      }
      await clock.wait(CHECKPOINT_EVERY_MS, signal);
    }
  }
}
