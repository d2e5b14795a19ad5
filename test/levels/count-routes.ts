import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import buildPages from './build-pages';

/** Runs once before the level: from here on, tests tell which routes they count the readings of. */
export default function countRoutes(): void {
  buildPages();
  process.env['COUNTED_ROUTES'] = mkdtempSync(path.join(tmpdir(), 'quittance-routes-'));
}
