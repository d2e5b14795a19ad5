import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { refuse } from '../../kernel/errors';
import { isBusy } from './sqlite-errors';

const LOCK_FILE = 'service.lock';
const WAIT_MS = 0;

/** Held by the one service on a data folder: a lock of the kernel's, so it is gone however the process ends. */
export class ServiceLock {
  private constructor(private readonly database: DatabaseSyncInstance) {}

  /** Throws Refusal invalid_config while another service, in this process or another, holds the folder. */
  static take(folder: string): ServiceLock {
    const path = join(folder, LOCK_FILE);
    const database = new DatabaseSync(path, { timeout: WAIT_MS });
    try {
      // The transaction is never ended: its exclusive lock is all that this file is for.
      database.exec('pragma journal_mode = memory; begin exclusive');
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw error;
      const message = `Another service is running on the data folder ${folder}. Stop it, or give this one a folder of its own.`;
      throw refuse('invalid_config', { param: 'data_folder', message, cause: error });
    }
    return new ServiceLock(database);
  }

  release(): void {
    this.database.close();
  }
}
