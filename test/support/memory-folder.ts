import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';

/** A new folder where writing to disk costs nothing, for engines that need not survive the machine. */
export function memoryFolder(): string {
  return mkdtempSync(path.join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'quittance-'));
}
