import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { BoundedMap } from '../../kernel/bounded-map';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import { CommitQueue } from './commit-queue';
import type { FileLock } from './file-lock';
import { closeToOthers, makeOwnFile, makeOwnFolder } from './owner-only';
import { takeServiceLock } from './service-lock';
import { SharedView } from './shared-view';
import { asStoreError } from './sqlite-errors';

export const EMBEDDED_FILE_NAME = 'quittance.sqlite';

/** Raised when an older program could no longer read the file. */
const LAYOUT_VERSION = 4;
/** The layout of a file that no program has written to yet. */
const NO_LAYOUT = 0;
/**
 * The time for which opening waits for another process's lock. Afterwards the commit queue waits, which lets the event
 * loop turn.
 */
const OPEN_WAIT_MS = 5_000;
const STATEMENT_WAIT_MS = 50;
/** Foreign commits must be seen within 100 ms; a look costs some microseconds. */
const FOREIGN_COMMIT_POLL_MS = 40;
/**
 * Pages of the write-ahead log, 16 MiB, before they are copied into the file. Commits change the same pages time and
 * again, and each page is copied once. Copying so many stops the event loop for some 17 ms.
 */
const CHECKPOINT_PAGES = 4_000;
/** The write-ahead log is cut back to this size after a long reader has let it grow. */
const LOG_SIZE_LIMIT_BYTES = 64 * 1_024 * 1_024;
const STATEMENT_CACHE_LIMIT = 1_024;

type EmbeddedFileOptions = {
  /** A data folder has one service; tools open it beside that service. */
  readonly role: 'service' | 'tool';
};

/** The one SQLite file of the embedded engines: durable on commit, one connection, used on the main thread only. */
export class EmbeddedFile {
  private readonly commits: CommitQueue;
  private readonly statements = new BoundedMap<string, StatementSyncInstance>(STATEMENT_CACHE_LIMIT);
  private readonly foreignCommitListeners = new Set<() => void>();
  private readonly poll: NodeJS.Timeout;
  private readonly view: SharedView;
  private dataVersion: number;
  private isClosed = false;

  private constructor(
    readonly path: string,
    readonly database: DatabaseSyncInstance,
    private readonly lock: FileLock | null,
  ) {
    this.view = new SharedView(database);
    this.commits = new CommitQueue(database, path, this.view);
    this.dataVersion = this.readDataVersion();
    this.poll = setInterval(() => this.checkForeignCommit(), FOREIGN_COMMIT_POLL_MS).unref();
  }

  /** Throws Refusal invalid_config when the folder cannot be used, or is another service's, or has another layout. */
  static open(folder: string, options: EmbeddedFileOptions): EmbeddedFile {
    let lock: FileLock | null = null;
    let database: DatabaseSyncInstance | null = null;
    try {
      makeOwnFolder(folder);
      if (options.role === 'service') lock = takeServiceLock(folder);
      const path = join(folder, EMBEDDED_FILE_NAME);
      makeOwnFile(path);
      // SQLite makes further files with the mode of the first one; a killed process may have left its own.
      for (const ending of ['-wal', '-shm']) closeToOthers(`${path}${ending}`);
      database = new DatabaseSync(path, { timeout: OPEN_WAIT_MS });
      prepareDatabase(database, path);
      return new EmbeddedFile(path, database, lock);
    } catch (error) {
      database?.close();
      lock?.release();
      if (isRefusal(error)) throw error;
      const message = `The data folder ${folder} cannot be used: ${(error as Error).message}.`;
      throw refuse('invalid_config', { param: 'data_folder', message, cause: error });
    }
  }

  /** Makes missing tables and their parts. The call may wait for another process, so only a start uses it. */
  define(sql: string): void {
    this.view.end();
    this.database.exec(`pragma busy_timeout = ${OPEN_WAIT_MS}`);
    try {
      this.database.exec(sql);
    } catch (error) {
      throw asStoreError(error, this.path);
    } finally {
      this.database.exec(`pragma busy_timeout = ${STATEMENT_WAIT_MS}`);
    }
  }

  /** A prepared statement, the same one for the same text; its rows are arrays. */
  statement(sql: string): StatementSyncInstance {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql, { returnArrays: true });
    this.statements.set(sql, statement);
    return statement;
  }

  /**
   * Synchronous work that only reads, in the view of this turn of the event loop. Throws StoreUnavailable when the file
   * cannot be read.
   */
  read<T>(work: () => T): T {
    if (this.isClosed) throw this.closedError();
    try {
      this.view.begin();
      return work();
    } catch (error) {
      throw asStoreError(error, this.path);
    }
  }

  /** Resolves once the writes of `work` are durable; see CommitQueue. */
  write<T>(work: () => T): Promise<T> {
    if (this.isClosed) return Promise.reject(this.closedError());
    return this.commits.write(work);
  }

  /** Calls `listener` within 100 ms after another process committed; answers a function that stops this. */
  onForeignCommit(listener: () => void): () => void {
    this.foreignCommitListeners.add(listener);
    return () => void this.foreignCommitListeners.delete(listener);
  }

  /** Writes all waiting work, then closes; later reads and writes are refused. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.poll);
    this.view.end();
    try {
      this.commits.drain();
    } finally {
      this.statements.clear();
      this.database.close();
      this.lock?.release();
    }
  }

  private readDataVersion(): number {
    this.view.end();
    const [version] = this.statement('pragma data_version').get() as [number];
    return version;
  }

  private checkForeignCommit(): void {
    let version: number;
    try {
      version = this.readDataVersion();
    } catch {
      // Readers of a file that cannot be read just now learn of it by their own reads; the next poll asks again.
      return;
    }
    if (version === this.dataVersion) return;
    this.dataVersion = version;
    for (const listener of this.foreignCommitListeners) listener();
  }

  private closedError(): StoreUnavailable {
    return new StoreUnavailable(`${this.path} is closed`);
  }
}

function prepareDatabase(database: DatabaseSyncInstance, path: string): void {
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
    pragma temp_store = memory;
    pragma journal_size_limit = ${LOG_SIZE_LIMIT_BYTES};
  `);
  const version = (database.prepare('pragma user_version').get() as { user_version: number }).user_version;
  if (version > LAYOUT_VERSION) {
    const message = `${path} was written by a newer program (layout ${version}, this one knows ${LAYOUT_VERSION}).`;
    throw refuse('invalid_config', { param: 'data_folder', message });
  }
  if (version !== NO_LAYOUT && version < LAYOUT_VERSION) {
    const message = `${path} has the former layout ${version}. This program reads layout ${LAYOUT_VERSION} only: choose another data folder.`;
    throw refuse('invalid_config', { param: 'data_folder', message });
  }
  if (version === NO_LAYOUT) database.exec(`pragma user_version = ${LAYOUT_VERSION}`);
  database.exec(`pragma busy_timeout = ${STATEMENT_WAIT_MS}`);
}
