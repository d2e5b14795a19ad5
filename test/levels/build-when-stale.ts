import path from 'node:path';
import { buildWhenStale } from '../../bin/build-when-stale.cjs';

const ROOT = path.resolve(__dirname, '..', '..');

/** Runs once before tests of the built service, which is then as new as its sources. */
export default function buildBeforeTests(): void {
  // Tests run by their sources check no types either: `npm run typecheck` does.
  buildWhenStale(ROOT, line => console.info(`\n${line}`), { checksTypes: false });
}
