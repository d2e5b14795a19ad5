// Builds the service where it is missing, or older than its sources.
import path from 'node:path';
import { buildWhenStale } from './build-when-stale.cjs';

try {
  buildWhenStale(path.resolve(import.meta.dirname, '..'), line => process.stderr.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
