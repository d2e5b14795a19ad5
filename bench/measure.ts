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

export type Figure = {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: 'ratio' | 'events' | 'KiB';
  readonly gate: { readonly atMost: number } | { readonly atLeast: number };
};

/** One line a figure: its median over the rounds, and the gate that it is held against. */
export function report({ id, what, value, unit, gate }: Figure): boolean {
  const holds = 'atMost' in gate ? value <= gate.atMost : value >= gate.atLeast;
  const bound = 'atMost' in gate ? `at most ${gate.atMost}` : `at least ${gate.atLeast}`;
  const shown = `${value.toFixed(3).padStart(8)} ${unit.padEnd(8)} ${bound.padEnd(14)}`;
  console.log(`${id.padEnd(5)} ${shown} ${holds ? 'holds' : 'MISSED'}  ${what}`);
  return holds;
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
