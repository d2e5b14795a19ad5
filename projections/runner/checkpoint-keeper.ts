import { SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { EventStore } from '../../src/kernel/ports/event-store';
import { NOTHING_COVERED, type CheckpointDocument, type Checkpoints, type StoredCheckpoint } from './checkpoints';
import { LogMarks } from './log-marks';

export const CHECKPOINT_EVERY_MS = SECOND_MS;
const SWITCH_POLL_MS = 100;
/** A process that switches needs two writes; a process that takes this long counts as dead. */
const SWITCH_POLLS = 300;

/** The loop's progress so far. */
type Progress = {
  readonly position: LogPosition;
  readonly restartFrom: LogPosition;
  readonly eventsPerSecond: number;
};

/**
 * One loop's view of its checkpoint: which incarnation of the collection it follows, and whether that one still stands.
 */
export class CheckpointKeeper {
  private generation = 0;
  private readonly marks: LogMarks;

  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly projection: { readonly name: string; readonly version: number },
    private readonly clock: Clock,
    store: EventStore,
  ) {
    this.marks = new LogMarks(store);
  }

  /**
   * The checkpoint once no switch is under way, made where there was none; null when `signal` aborted. The caller
   * checks whether its version is the projection's.
   */
  async standing(signal: AbortSignal): Promise<CheckpointDocument | null> {
    const { name, version } = this.projection;
    for (let polls = 0; !signal.aborted;) {
      const standing = await this.checkpoints.load(name);
      if (!standing) {
        const facts = { ...NOTHING_COVERED, version, generation: 0, state: 'following', error: null } as const;
        await this.checkpoints.save(name, null, { ...facts, events_per_second: 0 });
      } else if (standing.body.state !== 'switching') {
        this.generation = standing.body.generation;
        return standing.body;
      } else if (++polls <= SWITCH_POLLS) {
        await this.clock.wait(SWITCH_POLL_MS, signal);
      } else {
        // The position holds for both collections, so either may be the one that the dead process left in place.
        const next = { ...standing.body, generation: standing.body.generation + 1, state: 'following' as const };
        await this.checkpoints.save(name, standing, next);
      }
    }
    return null;
  }

  /** False once another collection has taken, or is about to take, the place of the followed one. */
  async isCurrent(): Promise<boolean> {
    const standing = await this.checkpoints.load(this.projection.name);
    return standing !== null && this.isMine(standing);
  }

  /**
   * False when the collection was switched. Another runner beside this one may have written; the farther position
   * holds.
   */
  async save({ position, restartFrom, eventsPerSecond }: Progress): Promise<boolean> {
    const standing = await this.checkpoints.load(this.projection.name);
    if (!standing || !this.isMine(standing)) return false;
    const coverage = await this.marks.coverage(position, restartFrom);
    const isFarther = coverage !== null && coverage.position > standing.body.position;
    const facts = {
      ...standing.body,
      ...(isFarther && coverage),
      version: this.projection.version,
      generation: this.generation,
      state: 'following',
      error: null,
      events_per_second: eventsPerSecond,
    } as const;
    // A lost race with another writer does no harm: the next save is a second away.
    if (!isSame(facts, standing.body)) await this.checkpoints.save(this.projection.name, standing, facts);
    return true;
  }

  /** False when the collection was switched, or a writer in between must be looked at first. */
  async noteFailure(error: string): Promise<boolean> {
    const standing = await this.checkpoints.load(this.projection.name);
    if (!standing || !this.isMine(standing)) return false;
    const facts = { ...standing.body, state: 'failed', error, events_per_second: 0 } as const;
    return (await this.checkpoints.save(this.projection.name, standing, facts)) !== null;
  }

  private isMine({ body }: StoredCheckpoint): boolean {
    return body.generation === this.generation && body.state !== 'switching';
  }
}

function isSame(facts: Partial<CheckpointDocument>, standing: CheckpointDocument): boolean {
  return Object.entries(facts).every(([field, value]) => standing[field as keyof CheckpointDocument] === value);
}
