import { join } from 'node:path';
import { refuse } from '../../vocabulary/errors';
import { FileLock } from './file-lock';
import { makeOwnFolder, unusableFolder } from './owner-only';

export const SERVICE_LOCK_FILE = 'service.lock';

/** The lock of the one service on a data folder. Throws Refusal invalid_config while another service holds it. */
export function takeServiceLock(folder: string): FileLock {
  const lock = FileLock.take(join(folder, SERVICE_LOCK_FILE));
  if (lock !== null) return lock;
  const remedy = 'Stop it, or give this one a folder of its own.';
  const message = `Another service is running on the data folder ${folder}. ${remedy}`;
  throw refuse('invalid_config', { param: 'data_folder', message });
}

/**
 * Keeps a folder's `secret.key` from being replaced. Services whose engines are servers share the folder. Throws
 * Refusal invalid_config while one process has the folder for itself, or where the folder cannot be used.
 */
export function shareServiceLock(folder: string): FileLock {
  let lock: FileLock | null;
  try {
    makeOwnFolder(folder);
    lock = FileLock.share(join(folder, SERVICE_LOCK_FILE));
  } catch (error) {
    throw unusableFolder(folder, error);
  }
  if (lock !== null) return lock;
  const message = `Another service has the data folder ${folder} for itself, or \`keys rotate\` runs. Try again later.`;
  throw refuse('invalid_config', { param: 'data_folder', message });
}
