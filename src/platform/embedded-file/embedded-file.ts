import { join } from 'node:path';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { BoundedMap } from '../../kernel/bounded-map';
import { isRefusal } from '../../vocabulary/errors';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import { CommitQueue } from './commit-queue';
import type { FileLock } from './file-lock';
import { openDatabase, OPEN_WAIT_MS, STATEMENT_WAIT_MS } from './file-opening';
import { makeOwnFolder, unusableFolder } from './owner-only';
import { takeServiceLock } from './service-lock';
import { SharedView } from './shared-view';
import { asStoreError, damageMet } from './sqlite-errors';

export const EMBEDDED_FILE_NAME = 'quittance.sqlite';

/** Foreign commits must be seen within 100 ms; a look costs some microseconds. */
const FOREIGN_COMMIT_POLL_MS = 40;
const STATEMENT_CACHE_LIMIT = 1_024;

export function embeddedPath(folder: string): string {
  return join(folder, EMBEDDED_FILE_NAME);
}

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

  /**
   * Throws Refusal invalid_config where the folder cannot be used or is another service's. Throws the same where the
   * file is empty, damaged or of another layout.
   */
  static open(folder: string, options: EmbeddedFileOptions): EmbeddedFile {
    let lock: FileLock | null = null;
    let database: DatabaseSyncInstance | null = null;
    try {
      makeOwnFolder(folder);
      if (options.role === 'service') lock = takeServiceLock(folder);
      const path = embeddedPath(folder);
      database = openDatabase(path);
      return new EmbeddedFile(path, database, lock);
    } catch (error) {
      database?.close();
      lock?.release();
      if (isRefusal(error)) throw error;
      const damage = damageMet(error, embeddedPath(folder));
      if (damage) throw damage;
      throw unusableFolder(folder, error);
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
