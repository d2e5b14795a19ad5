import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type RunningChild = {
  /** The process's output so far, line by line; a line that the kill cut off is not among them. */
  readonly lines: readonly string[];
  /** Resolves once the process has printed that many lines. Throws when it ends before. */
  printed(count: number): Promise<void>;
  /** Kills it as a power cut would, and waits for its end. */
  kill(): Promise<void>;
};

/** Runs a TypeScript file of this folder by plain node. */
export function runChild(file: string, args: readonly string[]): RunningChild {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--require', join(__dirname, 'typescript-hook.cjs'), join(__dirname, file), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', line => line.endsWith('.') && lines.push(line.slice(0, -1)));
  const ended = once(reader, 'close').then(() => undefined);
  const printed = async (count: number): Promise<void> => {
    let isOver = false;
    void ended.then(() => (isOver = true));
    while (lines.length < count) {
      if (isOver) throw new Error(`${file} ended after ${lines.length} lines of ${count}`);
      await Promise.race([once(reader, 'line'), ended]);
    }
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { lines, printed, kill };
}
