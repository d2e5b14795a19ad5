import { rmSync, statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Clock } from '../../kernel/clock';
import { makeOwnFile } from './owner-only';
import { isBusy } from './sqlite-errors';

const WAIT_MS = 0;
const POLL_MS = 50;
/** The greatest number of times that the file is replaced while one process looks for it. */
const MOST_LOOKS = 10;

/**
 * The operating system's lock on a file, which is gone however its holder ends. One process holds the lock, or several
 * share it.
 */
export class FileLock {
  private constructor(
    private readonly path: string,
    private readonly database: DatabaseSyncInstance,
  ) {}

  /** Null while another process holds or shares the lock. */
  static take(path: string): FileLock | null {
    return FileLock.lock(path, 'begin exclusive');
  }

  /** Null while another process holds the lock for itself. */
  static share(path: string): FileLock | null {
    // The read holds the lock that keeps an exclusive transaction out.
    return FileLock.lock(path, 'begin; select count(*) from sqlite_schema');
  }

  private static lock(path: string, sql: string): FileLock | null {
    for (let look = 0; look < MOST_LOOKS; look++) {
      makeOwnFile(path);
      const before = identityOf(path);
      const database = lockedFile(path, sql);
      if (database === null) return null;
      // The earlier holder may have removed the file: its lock would keep no other process out.
      if (before !== null && identityOf(path) === before) return new FileLock(path, database);
      database.close();
    }
    return null;
  }

  /** Waits until the lock is free, `patienceMs` at most; then null. `onWait` is called once where it has to wait. */
  static async wait(path: string, clock: Clock, patienceMs: number, onWait: () => void): Promise<FileLock | null> {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const lock = FileLock.take(path);
      if (lock !== null || waitedMs >= patienceMs) return lock;
      if (waitedMs === 0) onWait();
      await clock.wait(POLL_MS);
    }
  }

  release(): void {
    this.database.close();
  }

  /** Releases the lock and removes the file. */
  remove(): void {
    rmSync(this.path, { force: true });
    this.database.close();
  }
}

function lockedFile(path: string, sql: string): DatabaseSyncInstance | null {
  const database = new DatabaseSync(path, { timeout: WAIT_MS });
  try {
    // The transaction never ends: the file exists only for its lock.
    database.exec(`pragma journal_mode = memory; ${sql}`);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Tells the file from another of the same path; a new file may have the number of a removed one. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : null;
}
