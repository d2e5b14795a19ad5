import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The ways in which somebody runs less than the whole level. */
type Run = {
  readonly nonFlagArgs?: readonly string[];
  readonly testPathPatterns?: { readonly patterns: readonly string[] };
  readonly bail?: number;
  readonly testNamePattern?: string;
  readonly onlyChanged?: boolean;
  readonly onlyFailures?: boolean;
  readonly shard?: object;
};

/** Runs once after the level. Throws where a run of all its tests has left a route out. */
export default function checkRoutes(run: Run): void {
  const folder = process.env['COUNTED_ROUTES'] ?? '';
  try {
    if (isWhole(run)) refuseUncounted(linesOf(folder, 'routes'), linesOf(folder, 'counted'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isWhole({ nonFlagArgs = [], testPathPatterns, ...less }: Run): boolean {
  const { testNamePattern, onlyChanged, onlyFailures, bail, shard } = less;
  const paths = [...nonFlagArgs, ...(testPathPatterns?.patterns ?? [])];
  return paths.length === 0 && !testNamePattern && !onlyChanged && !onlyFailures && !bail && !shard;
}

function refuseUncounted(routes: readonly string[], counted: readonly string[]): void {
  if (routes.length === 0) throw new Error('No test has told of any route');
  const left = routes.filter(route => !/^(?:HEAD|OPTIONS) /.test(route) && !counted.includes(route));
  if (left.length > 0) throw new Error(`No test has a request to it answered with success: ${left.join(', ')}`);
}

function linesOf(folder: string, name: string): readonly string[] {
  const file = path.join(folder, name);
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))].toSorted() : [];
}
