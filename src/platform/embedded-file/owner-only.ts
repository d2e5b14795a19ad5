import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import { refuse, type Refusal } from '../../vocabulary/errors';

/** The folder's owner alone may enter: payments, sealed secrets and their key are inside. */
const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

const OTHERS = 0o077;
/** A folder that many accounts share on purpose, such as /tmp, has this bit. */
const SHARED_BY_PURPOSE = 0o1000;

/** Makes the folder where it is missing, and closes it to other accounts. */
export function makeOwnFolder(folder: string): void {
  makeFolders(path.resolve(folder));
  const { mode } = statSync(folder);
  if ((mode & OTHERS) === 0 || (mode & SHARED_BY_PURPOSE) !== 0) return;
  try {
    chmodSync(folder, OWNER_ONLY_FOLDER);
  } catch (error) {
    // A volume may belong to another account; the files inside are closed one by one.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** The refusal of a data folder that this account or this system cannot use. */
export function unusableFolder(folder: string, cause: unknown): Refusal {
  const message = `DATA_FOLDER: ${folder} cannot be used: ${(cause as Error).message}.`;
  return refuse('invalid_config', { param: 'data_folder', message, cause });
}

/**
 * Makes the folder and those above it, each once. Node's own recursive way never ends below a folder that says of
 * its new entries that they do not exist, such as /proc.
 */
function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let each = folder; !statSync(each, { throwIfNoEntry: false }); each = path.dirname(each)) missing.push(each);
  for (const each of missing.toReversed()) {
    try {
      mkdirSync(each, { mode: OWNER_ONLY_FOLDER });
    } catch (error) {
      // Another process made the folder a moment before.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Makes an empty file where it is missing, and closes it to other accounts. A file that is there is not opened: closing
 * it again would give up every lock that this process has on it.
 */
export function makeOwnFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    closeToOthers(file);
  }
}

/** A file that is missing stays so. */
export function closeToOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(file, OWNER_ONLY_FILE);
  } catch (error) {
    // Another process may remove a file of SQLite's in between.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
