import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import path from 'node:path';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';

/** Events of the log without those that watchers record by themselves, with or without a request. */
export function eventsBesideCoverage(dataFolder: string): number {
  const counted = "select count(*) as events from events where category <> 'coverage'";
  return read(dataFolder, database => (database.prepare(counted).get() as { events: number }).events);
}

/** Events of the log, and bytes of the tables and indexes that hold them. */
export function embeddedLogSize(dataFolder: string): { readonly events: number; readonly bytes: number } {
  return read(dataFolder, database => {
    const { events } = database.prepare('select count(*) as events from events').get() as { events: number };
    const owned = "select name from sqlite_schema where tbl_name = 'events'";
    const used = database.prepare(`select sum(pgsize - unused) as bytes from dbstat where name in (${owned})`);
    return { events, bytes: (used.get() as { bytes: number }).bytes };
  });
}

function read<T>(dataFolder: string, look: (database: DatabaseSyncInstance) => T): T {
  const database = new DatabaseSync(path.join(dataFolder, EMBEDDED_FILE_NAME), { readOnly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}
