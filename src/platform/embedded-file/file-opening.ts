import { linkSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { refuse } from '../../vocabulary/errors';
import { closeToOthers, makeOwnFile } from './owner-only';
import { damagedFile } from './sqlite-errors';

/** Raised when an older program could no longer read the file. */
const LAYOUT_VERSION = 4;
/** The layout that SQLite gives a file in which this program never put its own. */
const NO_LAYOUT = 0;
/**
 * The time for which opening waits for another process's lock. Afterwards the commit queue waits, which lets the event
 * loop turn.
 */
export const OPEN_WAIT_MS = 5_000;
export const STATEMENT_WAIT_MS = 50;
/**
 * Pages of the write-ahead log, 16 MiB, before they are copied into the file. Commits change the same pages time and
 * again, and each page is copied once. Copying so many stops the event loop for some 17 ms.
 */
const CHECKPOINT_PAGES = 4_000;
/** The write-ahead log is cut back to this size after a long reader has let it grow. */
const LOG_SIZE_LIMIT_BYTES = 64 * 1_024 * 1_024;
/** A file of so many bytes is read whole in some tenths of a second. */
const READ_WHOLE_BYTES = 64 * 1_024 * 1_024;
/** SQLite's own files beside a database have these endings. */
const BESIDE = ['-wal', '-shm'];

/** Opens the file at `path`, which is made where it is missing. Throws Refusal invalid_config and SQLite's errors. */
export function openDatabase(path: string): DatabaseSyncInstance {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size === 0) throw emptied(path);
  if (!found) makeDatabase(path);
  // SQLite makes its further files with the mode of the first one; a killed process may have left its own.
  for (const file of [path, ...BESIDE.map(ending => `${path}${ending}`)]) closeToOthers(file);
  const database = new DatabaseSync(path, { timeout: OPEN_WAIT_MS });
  try {
    prepareDatabase(database, path);
    refuseDamage(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Made whole under another name first: a file without bytes is a fault then, whenever a start was killed. */
function makeDatabase(path: string): void {
  const draft = `${path}.${process.pid}.draft`;
  const removeDraft = (): void => ['', ...BESIDE].forEach(ending => rmSync(`${draft}${ending}`, { force: true }));
  removeDraft();
  try {
    makeOwnFile(draft);
    const database = new DatabaseSync(draft);
    database.exec(`pragma journal_mode = wal; pragma user_version = ${LAYOUT_VERSION}`);
    database.close();
    linkSync(draft, path);
  } catch (error) {
    // Another process made the file a moment before.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    removeDraft();
  }
}

function prepareDatabase(database: DatabaseSyncInstance, path: string): void {
  refuseOtherLayout(database, path);
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
    pragma temp_store = memory;
    pragma journal_size_limit = ${LOG_SIZE_LIMIT_BYTES};
    pragma busy_timeout = ${STATEMENT_WAIT_MS};
  `);
}

/** No statement has changed the file yet: a database of another layout keeps its content. */
function refuseOtherLayout(database: DatabaseSyncInstance, path: string): void {
  const version = (database.prepare('pragma user_version').get() as { user_version: number }).user_version;
  if (version > LAYOUT_VERSION) {
    const message = `${path} was written by a newer program (layout ${version}, this one knows ${LAYOUT_VERSION}).`;
    throw refuse('invalid_config', { param: 'data_folder', message });
  }
  if (version === NO_LAYOUT) {
    const message = `${path} was not made by this program: choose another data folder.`;
    throw refuse('invalid_config', { param: 'data_folder', message });
  }
  if (version < LAYOUT_VERSION) {
    const message = `${path} has the former layout ${version}. This program reads layout ${LAYOUT_VERSION} only: choose another data folder.`;
    throw refuse('invalid_config', { param: 'data_folder', message });
  }
}

/** Damaged pages of a larger file are met when they are read. */
function refuseDamage(database: DatabaseSyncInstance, path: string): void {
  if (statSync(path).size > READ_WHOLE_BYTES) return;
  const { quick_check: found } = database.prepare('pragma quick_check(1)').get() as { readonly quick_check: string };
  if (found !== 'ok') throw damagedFile(path, found);
}

function emptied(path: string) {
  const remedy = 'Restore the backup. To begin a new log without the old one, remove this file.';
  const message = `${path} is empty, and a log never is: its events are lost. ${remedy}`;
  return refuse('invalid_config', { param: 'data_folder', message });
}
