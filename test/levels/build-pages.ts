import path from 'node:path';
import { execFileSync } from 'node:child_process';

const ROOT = path.resolve(__dirname, '..', '..');

/** Runs once before tests of the service in process, whose pages name the built scripts and styles. */
export default function buildPages(): void {
  execFileSync(process.execPath, [path.join(ROOT, 'web', 'build.mjs')], { cwd: ROOT, stdio: 'inherit' });
}
