import { join } from 'node:path';
import { refuse } from '../../vocabulary/errors';
import { FileLock } from './file-lock';

export const SERVICE_LOCK_FILE = 'service.lock';

/** The lock of the one service on a data folder. Throws Refusal invalid_config while another service holds it. */
export function takeServiceLock(folder: string): FileLock {
  const lock = FileLock.take(join(folder, SERVICE_LOCK_FILE));
  if (lock !== null) return lock;
  const remedy = 'Stop it, or give this one a folder of its own.';
  const message = `Another service is running on the data folder ${folder}. ${remedy}`;
  throw refuse('invalid_config', { param: 'data_folder', message });
}
