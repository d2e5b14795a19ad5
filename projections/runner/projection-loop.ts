import { SECOND_MS, type Clock } from '../../src/kernel/clock';
import { START_OF_LOG, type EventBatch, type EventStore } from '../../src/kernel/ports/event-store';
import type { Collection, Documents } from '../../src/kernel/ports/documents';
import type { Log } from '../../src/kernel/ports/log';
import type { DocumentChange } from '../../src/kernel/projection';
import type { AnyProjection } from './any-projection';
import { Checkpoints, type CheckpointDocument, type StoredCheckpoint } from './checkpoints';
import { readChanges, writeChanges } from './document-changes';
import { isDefect, PoisonEvent } from './poison-event';
import { collectionSpec } from './projection-collection';
import { rebuildProjection } from './rebuild';

const CHECKPOINT_EVERY_MS = SECOND_MS;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;
const SWITCH_POLL_MS = 100;
/** A process that switches needs two writes for it; one that takes this long is taken for dead. */
const SWITCH_POLLS = 300;

export type ProjectionState =
  'starting' | 'rebuilding' | 'catching_up' | 'live' | 'waiting' | 'failed' | 'superseded' | 'stopped';

export type RunnerParts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly log: Log;
  readonly clock: Clock;
};

type Waiter = { readonly position: number; readonly resolve: () => void; readonly reject: (error: Error) => void };

/** Why following ended: the collection was switched under it, or the subscription ended by itself. */
type End = 'switched' | 'ended';

/** One projection's serial loop: events in, documents written, then the checkpoint. */
export class ProjectionLoop {
  state: ProjectionState = 'starting';
  position = START_OF_LOG;
  eventsPerSecond = 0;
  private error: string | null = null;
  private generation = 0;
  private hasFollowed = false;
  private handled = 0;
  private readonly waiters = new Set<Waiter>();

  constructor(
    readonly projection: AnyProjection,
    private readonly parts: RunnerParts,
  ) {}

  /** Resolves when `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
      try {
        const end = await this.follow(signal, () => (pauseMs = FIRST_PAUSE_MS));
        if (end === 'switched' || signal.aborted) continue;
        log.warn({ projection: this.projection.name }, 'a projection lost its subscription');
      } catch (error) {
        if (signal.aborted) break;
        if (isDefect(error)) {
          await this.stopLoudly(error, signal);
          continue;
        }
        log.warn(
          { projection: this.projection.name, err: error, retry_in_ms: pauseMs },
          'a projection was interrupted',
        );
      }
      this.state = 'waiting';
      await clock.wait(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    this.state = 'stopped';
    this.rejectWaiters(`${this.projection.name} has stopped`);
  }

  /** Resolves once every event up to `position` is in the documents; rejects when that cannot be, or `signal` aborts. */
  reach(position: number, signal: AbortSignal): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    if (this.error !== null) return Promise.reject(new Error(this.error));
    return new Promise((resolve, reject) => {
      const waiter = { position, resolve, reject };
      this.waiters.add(waiter);
      signal.addEventListener('abort', () => {
        this.waiters.delete(waiter);
        reject(new Error(`${this.projection.name} is at position ${this.position}, not yet at ${position}`));
      });
    });
  }

  private async follow(signal: AbortSignal, onProgress: () => void): Promise<End> {
    const { store, documents, clock } = this.parts;
    const checkpoints = await Checkpoints.open(documents, clock);
    const checkpoint = await this.settledCheckpoint(checkpoints, signal);
    if (!checkpoint) return 'ended';
    const collection = await documents.open(collectionSpec(this.projection));
    this.begin(checkpoint);
    const leaving = new AbortController();
    const until = AbortSignal.any([signal, leaving.signal]);
    const keeping = this.keepCheckpoint(checkpoints, checkpoint, until, leaving);
    let end: End = 'ended';
    try {
      const types = Object.keys(this.projection.on);
      for await (const batch of store.subscribe({ types }, this.position, until)) {
        if (!(await this.take(batch, collection, checkpoints))) {
          end = 'switched';
          break;
        }
        onProgress();
      }
    } finally {
      leaving.abort();
      const kept = await keeping;
      if (kept === 'switched') end = 'switched';
      else if (kept) await this.save(checkpoints, kept).catch(() => null);
    }
    return end;
  }

  private begin(checkpoint: StoredCheckpoint): void {
    this.position = checkpoint.body.position;
    this.generation = checkpoint.body.generation;
    this.error = null;
    this.hasFollowed = true;
    this.state = 'catching_up';
  }

  /** False when the collection was switched, so that what was read of it may be incomplete: see rebuildProjection. */
  private async take(batch: EventBatch, collection: Collection, checkpoints: Checkpoints): Promise<boolean> {
    if (batch.events.length > 0) {
      const changes = await this.changesOf(batch, collection, checkpoints);
      if (changes.length > 0) {
        const checkpoint = await checkpoints.load(this.projection.name);
        if (!checkpoint || !this.isMine(checkpoint)) return false;
        await writeChanges(collection, changes);
      }
    }
    this.handled += batch.events.length;
    this.position = batch.position;
    this.state = batch.live ? 'live' : 'catching_up';
    for (const waiter of this.waiters) {
      if (waiter.position > this.position) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
    return true;
  }

  /** What comes before a poison event is still written, so that the position says where it is. */
  private async changesOf(
    batch: EventBatch,
    collection: Collection,
    checkpoints: Checkpoints,
  ): Promise<readonly DocumentChange[]> {
    try {
      return await readChanges(this.projection, collection, batch.events);
    } catch (error) {
      if (error instanceof PoisonEvent) {
        const { position } = error.event;
        const events = batch.events.filter(event => event.position < position);
        if (events.length > 0)
          await this.take({ events, position: position - 1, live: false }, collection, checkpoints);
      }
      throw error;
    }
  }

  private isMine({ body }: StoredCheckpoint): boolean {
    return body.generation === this.generation && body.state !== 'switching';
  }

  /**
   * Writes the position now and then, and notices a switch while no events come. Ends when `until` aborts, with the checkpoint as it
   * then stands; with 'switched', or null for an engine that is away, it ends the subscription itself.
   */
  private async keepCheckpoint(
    checkpoints: Checkpoints,
    first: StoredCheckpoint,
    until: AbortSignal,
    leaving: AbortController,
  ): Promise<StoredCheckpoint | 'switched' | null> {
    const { clock, log } = this.parts;
    let checkpoint = first;
    try {
      for (let handledBefore = this.handled, savedAt = clock.now(); ;) {
        await clock.wait(CHECKPOINT_EVERY_MS, until);
        if (until.aborted) return checkpoint;
        const elapsedMs = Math.max(clock.now() - savedAt, 1);
        this.eventsPerSecond = Math.round(((this.handled - handledBefore) * SECOND_MS) / elapsedMs);
        handledBefore = this.handled;
        savedAt = clock.now();
        const saved = await this.save(checkpoints, checkpoint);
        if (!saved) break;
        checkpoint = saved;
      }
    } catch (error) {
      log.warn({ projection: this.projection.name, err: error }, 'a checkpoint could not be written');
      leaving.abort();
      return null;
    }
    leaving.abort();
    return 'switched';
  }

  /** Null when the collection was switched. Another runner beside this one may have written; the farther position holds. */
  private async save(checkpoints: Checkpoints, known: StoredCheckpoint): Promise<StoredCheckpoint | null> {
    const standing = await checkpoints.load(this.projection.name);
    if (!standing || !this.isMine(standing)) return null;
    const facts = this.facts(standing.body);
    if (isSame(facts, standing.body)) return standing;
    return (await checkpoints.save(this.projection.name, standing, facts)) ?? known;
  }

  private facts({ position }: CheckpointDocument): Omit<CheckpointDocument, 'projection' | 'updated_at'> {
    return {
      version: this.projection.version,
      position: Math.max(position, this.position),
      generation: this.generation,
      state: 'following',
      error: null,
      events_per_second: this.eventsPerSecond,
    };
  }

  /** The checkpoint to go on from, once no switch is under way and the documents are of this version; null when `signal` aborted. */
  private async settledCheckpoint(checkpoints: Checkpoints, signal: AbortSignal): Promise<StoredCheckpoint | null> {
    const { clock, log } = this.parts;
    const { name, version } = this.projection;
    for (let polls = 0; !signal.aborted;) {
      const standing = await checkpoints.load(name);
      if (!standing) {
        await checkpoints.save(name, null, { ...this.facts(NOTHING_YET), position: START_OF_LOG, generation: 0 });
      } else if (standing.body.state === 'switching') {
        if (++polls > SWITCH_POLLS) {
          const next = { ...standing.body, generation: standing.body.generation + 1, state: 'following' as const };
          await checkpoints.save(name, standing, next);
        } else await clock.wait(SWITCH_POLL_MS, signal);
      } else if (standing.body.version === version) {
        return standing;
      } else if (this.hasFollowed && standing.body.version > version) {
        // A newer program has rebuilt the documents: rebuilding them back would start a quarrel.
        if (this.state !== 'superseded')
          log.warn({ projection: name }, 'a projection was taken over by a newer version');
        this.state = 'superseded';
        await clock.wait(CHECKPOINT_EVERY_MS, signal);
      } else {
        this.state = 'rebuilding';
        log.info({ projection: name, from_version: standing.body.version, version }, 'a projection is being rebuilt');
        const { position, events } = await rebuildProjection({ ...this.parts, projection: this.projection, signal });
        log.info({ projection: name, position, events }, 'a projection was rebuilt');
      }
    }
    return null;
  }

  /** Other projections go on. A rebuild, by whatever process, sets this one going again. */
  private async stopLoudly(error: unknown, signal: AbortSignal): Promise<void> {
    const { documents, clock, log } = this.parts;
    const { name } = this.projection;
    this.state = 'failed';
    this.error = (error as Error).message;
    log.error({ projection: name, position: this.position, err: error }, 'a projection has stopped');
    this.rejectWaiters(this.error);
    let generation: number | undefined;
    let isNoted = false;
    while (!signal.aborted) {
      try {
        const checkpoints = await Checkpoints.open(documents, clock);
        const standing = await checkpoints.load(name);
        generation ??= standing?.body.generation;
        if (standing && standing.body.generation !== generation) return;
        if (standing && standing.body.state !== 'switching' && !isNoted) {
          const facts = { ...standing.body, state: 'failed', error: this.error, events_per_second: 0 } as const;
          isNoted = (await checkpoints.save(name, standing, facts)) !== null;
        }
      } catch (failure) {
        log.warn({ projection: name, err: failure }, 'a checkpoint could not be written');
      }
      await clock.wait(CHECKPOINT_EVERY_MS, signal);
    }
  }

  private rejectWaiters(why: string): void {
    for (const { reject } of this.waiters) reject(new Error(why));
    this.waiters.clear();
  }
}

const NOTHING_YET = { position: START_OF_LOG } as CheckpointDocument;

function isSame(facts: Partial<CheckpointDocument>, standing: CheckpointDocument): boolean {
  return Object.entries(facts).every(([field, value]) => standing[field as keyof CheckpointDocument] === value);
}
