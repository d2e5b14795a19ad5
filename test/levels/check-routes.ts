import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** What a run was asked to leave out. */
type Run = {
  readonly nonFlagArgs?: readonly string[];
  readonly testNamePattern?: string;
  readonly onlyChanged?: boolean;
  readonly onlyFailures?: boolean;
  readonly shard?: object;
};

/** Routes that no test at an API stage can take. */
const ELSEWHERE: readonly string[] = [];

/** Runs once after the level. Throws where a run of all its tests has left a route out. */
export default function checkRoutes(run: Run): void {
  const folder = process.env['COUNTED_ROUTES'] ?? '';
  try {
    if (isWhole(run)) refuseUncounted(linesOf(folder, 'routes'), linesOf(folder, 'counted'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isWhole({ nonFlagArgs = [], testNamePattern, onlyChanged, onlyFailures, shard }: Run): boolean {
  return nonFlagArgs.length === 0 && !testNamePattern && !onlyChanged && !onlyFailures && !shard;
}

function refuseUncounted(routes: readonly string[], counted: readonly string[]): void {
  const left = routes.filter(route => !/^(?:HEAD|OPTIONS) /.test(route) && !counted.includes(route));
  const wrong = [
    ...left.filter(route => !ELSEWHERE.includes(route)),
    ...ELSEWHERE.filter(each => !left.includes(each)),
  ];
  if (wrong.length > 0) throw new Error(`No test has one request alone answered with success: ${wrong.join(', ')}`);
}

function linesOf(folder: string, name: string): readonly string[] {
  const file = path.join(folder, name);
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))].toSorted() : [];
}
