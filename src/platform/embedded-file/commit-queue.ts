import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import type { SharedView } from './shared-view';
import { asCommitError, asStoreError, isBusy, isFileFailure } from './sqlite-errors';

/**
 * Writes that share one transaction and one sync: enough to make the sync cheap, few enough to keep the event loop's
 * delay in milliseconds.
 */
const BATCH_LIMIT = 512;
const QUEUE_LIMIT = 65_536;
/**
 * A batch waits so many turns of the event loop at most, while each of them brings further writes. A busy server begins
 * one request a turn, so its writes would otherwise have a sync each.
 */
const GATHERING_TURNS = 32;
/**
 * Tries at a file that another process is writing to, and the time between them; the event loop turns during each wait.
 */
const BUSY_TRIES = 100;
const BUSY_WAIT_MS = 10;

type Waiting = {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Group commit: writes of a few turns of the event loop run in one transaction, and no write is answered before its
 * sync. Work is synchronous and may run twice, so it only reads and writes the database.
 */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private scheduled = false;
  /** Writes that waited at the turn before. */
  private gathered = 0;
  private gatheringTurns = 0;
  private busyTries = 0;
  private readonly begin;
  private readonly commit;

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly path: string,
    private readonly view: SharedView,
  ) {
    this.begin = database.prepare('begin immediate');
    this.commit = database.prepare('commit');
  }

  /**
   * Throws the error of `work`, after undoing that work alone. Throws StoreUnavailable or OutcomeUnknown when the file
   * failed, after undoing the batch.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.waiting.length >= QUEUE_LIMIT) {
      return Promise.reject(new StoreUnavailable(`${this.path}: ${QUEUE_LIMIT} writes are waiting`));
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.schedule();
    });
  }

  /** Runs all waiting writes at once. */
  drain(): void {
    while (this.waiting.length > 0) this.runBatch();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.scheduled = false;
    if (this.waiting.length === 0) return;
    if (this.gathers()) return this.schedule();
    const delayMs = this.runBatch();
    if (this.waiting.length === 0) return;
    if (delayMs === 0) return this.schedule();
    this.scheduled = true;
    setTimeout(() => this.turn(), delayMs);
  }

  private gathers(): boolean {
    const brought = this.waiting.length - this.gathered;
    const goesOn = brought > 0 && this.waiting.length < BATCH_LIMIT && this.gatheringTurns < GATHERING_TURNS;
    this.gathered = goesOn ? this.waiting.length : 0;
    this.gatheringTurns = goesOn ? this.gatheringTurns + 1 : 0;
    return goesOn;
  }

  /** Answers the time to wait before the next batch. */
  private runBatch(): number {
    const batch = this.waiting.splice(0, BATCH_LIMIT);
    let outcomes: readonly Outcome[];
    try {
      this.view.end();
      this.begin.run();
      outcomes = this.runTogether(batch) ?? this.runApart(batch);
    } catch (error) {
      this.rollBack();
      if (isBusy(error) && ++this.busyTries < BUSY_TRIES) {
        this.waiting.unshift(...batch);
        return BUSY_WAIT_MS;
      }
      this.busyTries = 0;
      rejectAll(batch, asStoreError(error, this.path));
      return 0;
    }
    this.busyTries = 0;
    try {
      this.commit.run();
    } catch (error) {
      this.rollBack();
      rejectAll(batch, asCommitError(error, this.path));
      return 0;
    }
    answer(batch, outcomes);
    return 0;
  }

  /** The usual way: no savepoints, since no write fails. Null when a write failed, with the transaction begun anew. */
  private runTogether(batch: readonly Waiting[]): readonly Outcome[] | null {
    const outcomes: Outcome[] = [];
    for (const { work } of batch) {
      try {
        outcomes.push({ value: work() });
      } catch (error) {
        if (isFileFailure(error)) throw error;
        this.rollBack();
        this.begin.run();
        return null;
      }
    }
    return outcomes;
  }

  /** Runs each write under a savepoint of its own, so that a failure undoes that write alone. */
  private runApart(batch: readonly Waiting[]): readonly Outcome[] {
    return batch.map(({ work }) => {
      this.database.exec('savepoint one');
      try {
        const value = work();
        this.database.exec('release one');
        return { value };
      } catch (error) {
        if (isFileFailure(error)) throw error;
        this.database.exec('rollback to one; release one');
        return { error };
      }
    });
  }

  /** A full disk has already ended the transaction by itself. */
  private rollBack(): void {
    if (this.database.isTransaction) this.database.exec('rollback');
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

function answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  batch.forEach(({ resolve, reject }, index) => {
    const outcome = outcomes[index] as Outcome;
    if ('error' in outcome) reject(outcome.error);
    else resolve(outcome.value);
  });
}
