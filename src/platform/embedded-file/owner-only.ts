import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';

/** The folder's owner alone may enter: payments, sealed secrets and their key are inside. */
const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

const OTHERS = 0o077;
/** A folder that many accounts share on purpose, such as /tmp, has this bit. */
const SHARED_BY_PURPOSE = 0o1000;

/** Makes the folder where it is missing, and closes it to other accounts. */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const { mode } = statSync(folder);
  if ((mode & OTHERS) === 0 || (mode & SHARED_BY_PURPOSE) !== 0) return;
  try {
    chmodSync(folder, OWNER_ONLY_FOLDER);
  } catch (error) {
    // A volume may belong to another account; the files inside are closed one by one.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
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
