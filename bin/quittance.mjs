#!/usr/bin/env node
// `npx quittance …`: the command line. The program is built where it is missing, or older than its sources.
import path from 'node:path';
import { buildWhenStale } from './build-when-stale.cjs';

const root = path.resolve(import.meta.dirname, '..');

// Standard output is the command's own.
const tell = line => process.stderr.write(`${line}\n`);

process.setSourceMapsEnabled(true);
try {
  buildWhenStale(root, tell);
} catch (error) {
  tell(error.message);
  process.exit(1);
}
await import('../dist/src/cli/main.js');
