import { DatabaseSync } from '@photostructure/sqlite';
import path from 'node:path';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';

/** Events of the log, and bytes of the tables and indexes that hold them. */
export function embeddedLogSize(dataFolder: string): { readonly events: number; readonly bytes: number } {
  const database = new DatabaseSync(path.join(dataFolder, EMBEDDED_FILE_NAME), { readOnly: true });
  try {
    const { events } = database.prepare('select count(*) as events from events').get() as { events: number };
    const owned = "select name from sqlite_schema where tbl_name in ('events', 'streams')";
    const used = database.prepare(`select sum(pgsize - unused) as bytes from dbstat where name in (${owned})`);
    return { events, bytes: (used.get() as { bytes: number }).bytes };
  } finally {
    database.close();
  }
}
