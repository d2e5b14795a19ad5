import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { parseIsoTime } from '../kernel/clock';
import type { ExitCode, Terminal } from './terminal';
import { openToolbox, type Toolbox } from './toolbox';

/**
 * The outcome of a command: its facts as one JSON value, and as lines to read. The value is null where the command has
 * written its lines itself.
 */
export type Answer = { readonly json: object | null; readonly lines: readonly string[]; readonly exitCode?: ExitCode };

export type Session = { readonly terminal: Terminal; answered(exitCode: ExitCode): void };

/** Runs `work` with an open toolbox and prints its answer, in the form that `--json` says. */
export async function perform(
  session: Session,
  command: Command,
  work: (toolbox: Toolbox, terminal: Terminal) => Promise<Answer>,
): Promise<void> {
  const { terminal } = session;
  const toolbox = await openToolbox(terminal.env, terminal.err, terminal.user);
  try {
    const answer = await work(toolbox, terminal);
    const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
    if (isJson && answer.json) terminal.out(`${JSON.stringify(answer.json)}\n`);
    if (!isJson) terminal.out(answer.lines.map(line => `${line}\n`).join(''));
    session.answered(answer.exitCode ?? 0);
  } finally {
    await toolbox.close();
  }
}

export function example(line: string): string {
  return `\nExample:\n  npm run cli -- ${line}`;
}

/** A moment in milliseconds; a date alone means its first moment, in UTC. */
export function momentOption(text: string): number {
  try {
    return parseIsoTime(text);
  } catch {
    throw new InvalidArgumentError('The moment must be a time such as 2026-11-01T12:00:00.000Z.');
  }
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
