import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** User and system time that a process has spent, in clock ticks (Linux). */
export function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The rates a second on either side of a ratio, one after the other. */
export type RatioRound = { readonly ours: number; readonly theirs: number };

export type Figure = {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: 'ratio' | 'events' | 'KiB' | 'reads' | 'trips' | 'feeds';
  readonly gate: { readonly atMost: number } | { readonly atLeast: number };
};

/** A figure that is the median of rounds; prints them, and the source of the denominator, before it. */
export function ratioOf(figure: Omit<Figure, 'value' | 'unit'>, source: string, rounds: readonly RatioRound[]): Figure {
  console.log(`${figure.id.padEnd(5)} over ${source}`);
  for (const { ours, theirs } of rounds) {
    const ratio = (ours / theirs).toFixed(3);
    console.log(`      ${ours.toFixed(0).padStart(8)}/s over ${theirs.toFixed(0).padStart(8)}/s = ${ratio}`);
  }
  return { ...figure, unit: 'ratio', value: median(rounds.map(({ ours, theirs }) => ours / theirs)) };
}

/** The calls of one round, each by its kind: `append payment_intent`. */
export type CountedRound = readonly string[];

/** The most of any round; prints the count of each round, and how often the last round asked for each kind. */
export function mostOf(id: string, what: string, rounds: readonly CountedRound[]): number {
  const counts = rounds.map(({ length }) => length);
  console.log(`${id.padEnd(5)} ${what}: ${counts.join(', ')}; the last by kind`);
  const byKind = new Map<string, number>();
  for (const kind of rounds.at(-1) ?? []) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  for (const [kind, count] of byKind) console.log(`      ${String(count).padStart(8)} ${kind}`);
  return Math.max(...counts);
}

/** One line a figure: its median over the rounds, and the gate that it is held against. */
export function report({ id, what, value, unit, gate }: Figure): boolean {
  const holds = 'atMost' in gate ? value <= gate.atMost : value >= gate.atLeast;
  const bound = 'atMost' in gate ? `at most ${gate.atMost}` : `at least ${gate.atLeast}`;
  const shown = `${value.toFixed(3).padStart(8)} ${unit.padEnd(8)} ${bound.padEnd(14)}`;
  console.log(`${id.padEnd(5)} ${shown} ${holds ? 'holds' : 'MISSED'}  ${what}`);
  return holds;
}

/** The tree to which the figures belong. */
export function commit(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: __dirname, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain') !== '';
    return git('rev-parse', 'HEAD') + (isChanged ? ', with changes that are not committed' : '');
  } catch {
    return 'unknown: there is no repository here';
  }
}

/** A plain line for a figure that the machine lacks the means for. */
export function notMeasured(id: string, reason: string): readonly Figure[] {
  console.log(`${id.padEnd(5)} not measured: ${reason}`);
  return [];
}

/** Keeps `concurrency` calls of `act` under way until `count` have been made. */
export async function inFlight(
  count: number,
  concurrency: number,
  act: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
