import { isoTime, parseIsoTime, SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Collection, CollectionSpec, Document, Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';

type BuildDocument = {
  readonly collection: string;
  readonly position: LogPosition;
  readonly begun_at: string;
  /** The time of the last event that was folded; null before the first. */
  readonly reached_at: string | null;
  readonly alive_at: string;
};
type Reached = Pick<BuildDocument, 'position' | 'reached_at'>;
export type BuildProgress = Pick<BuildDocument, 'begun_at' | 'reached_at'>;

const BUILDS: CollectionSpec = { name: 'projection_builds', indexes: {} };
const SIGN_OF_LIFE_EVERY_MS = SECOND_MS / 2;
/** A builder that gave no sign of life for this long counts as dead. */
const DEAD_AFTER_MS = 5 * SECOND_MS;

/** Another process is building this collection; it can be tried again later. */
export class BuildUnderWay extends Error {
  constructor(collection: string) {
    super(`${collection} is being built by another process`);
    this.name = 'BuildUnderWay';
  }
}

/**
 * Keeps two processes from building one collection at once. A builder that counts as dead and wakes up finds its lock
 * gone.
 */
export class BuildLock {
  private constructor(
    private readonly builds: Collection<BuildDocument>,
    private readonly clock: Clock,
    private held: Document<BuildDocument>,
  ) {}

  /** Throws BuildUnderWay. */
  static async take(documents: Documents, clock: Clock, collection: string): Promise<BuildLock> {
    const builds = await documents.open<BuildDocument>(BUILDS);
    const standing = await builds.get(collection);
    const now = clock.now();
    if (standing && isAlive(standing.body, now)) throw new BuildUnderWay(collection);
    const at = isoTime(now);
    const body = { collection, position: START_OF_LOG, begun_at: at, reached_at: null, alive_at: at };
    // The version goes on from the wall clock. So a lock that was given back and taken anew is never mistaken for the
    // old one.
    const lock = { id: collection, version: Math.max(now, (standing?.version ?? 0) + 1), body };
    const isTaken = standing ? await builds.replace(lock, standing.version) : await builds.insert(lock);
    if (!isTaken) throw new BuildUnderWay(collection);
    return new BuildLock(builds, clock, lock);
  }

  /** The build of the collection that is under way in any process; null where none is. */
  static async underWay(documents: Documents, clock: Clock, collection: string): Promise<BuildProgress | null> {
    const standing = (await (await documents.open<BuildDocument>(BUILDS)).get(collection))?.body;
    return standing && isAlive(standing, clock.now()) ? standing : null;
  }

  /** Gives a sign of life when one is due. Throws BuildUnderWay when the lock is lost. */
  async keep(reached: Reached): Promise<void> {
    const age = this.clock.now() - parseIsoTime(this.held.body.alive_at);
    if (age >= SIGN_OF_LIFE_EVERY_MS) await this.confirm(reached);
  }

  /** Throws BuildUnderWay when the lock is lost. */
  async confirm(reached: Reached): Promise<void> {
    const { id, version, body } = this.held;
    const next = { id, version: version + 1, body: { ...body, ...reached, alive_at: isoTime(this.clock.now()) } };
    if (!(await this.builds.replace(next, version))) throw new BuildUnderWay(id);
    this.held = next;
  }

  async release(): Promise<void> {
    const { id, version } = this.held;
    await this.builds.deleteAt(id, version);
  }
}

function isAlive({ alive_at }: Pick<BuildDocument, 'alive_at'>, nowMs: number): boolean {
  return nowMs - parseIsoTime(alive_at) < DEAD_AFTER_MS;
}
