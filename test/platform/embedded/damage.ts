import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

const PAGE_BYTES = 4_096;
const DAMAGED_BYTES = 16;
/** The first page begins with the file's own header of so many bytes. */
const FILE_HEADER_BYTES = 100;

/** Overwrites the beginning of a page, counted from 1, as a failing disk may. */
export function damage(path: string, page: number): void {
  // A newer copy of the page in the write-ahead log would hide the damage.
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  const file = openSync(path, 'r+');
  const at = page === 1 ? FILE_HEADER_BYTES : (page - 1) * PAGE_BYTES;
  writeSync(file, Buffer.alloc(DAMAGED_BYTES, 0xa5), 0, DAMAGED_BYTES, at);
  closeSync(file);
}
