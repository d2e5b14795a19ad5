import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { parseIsoTime, type Clock } from '../kernel/clock';
import { SystemClock } from '../platform/clock/system-clock';
import { loadConfig, type Config } from '../platform/config/config';
import { warnOfUnknownVariables } from '../platform/config/unknown-variables';
import { createLogger } from '../platform/logging/logger';
import { terminalLines } from '../platform/logging/terminal-lines';
import type { ExitCode, Terminal } from './terminal';
import type { Toolbox, ToolboxOptions } from './toolbox';

/**
 * The outcome of a command: its facts as one JSON value, and as lines to read. The value is null where the command has
 * written its lines itself.
 */
export type Answer = { readonly json: object | null; readonly lines: readonly string[]; readonly exitCode?: ExitCode };

export type Session = { readonly terminal: Terminal; readonly answered: (exitCode: ExitCode) => void };

/** Runs `work` with an open toolbox and prints its answer, in the form that `--json` says. */
export async function perform(
  session: Session,
  command: Command,
  work: (toolbox: Toolbox, terminal: Terminal) => Promise<Answer>,
  options?: ToolboxOptions,
): Promise<void> {
  const { terminal } = session;
  // Commands that work by the service's address alone never load the engines.
  const { openToolbox } = await import('./toolbox.js');
  const toolbox = await openToolbox(terminal.env, await logLines(terminal), terminal.user, options);
  try {
    tell(session, command, await work(toolbox, terminal));
  } finally {
    await toolbox.close();
  }
}

/** Runs `work` that needs no log and no documents, and prints its answer. */
export async function performWithoutData(
  session: Session,
  command: Command,
  work: (means: { readonly config: Config; readonly clock: Clock }) => Promise<Answer>,
): Promise<void> {
  const { env } = session.terminal;
  const config = loadConfig(env);
  warnOfUnknownVariables(env, createLogger({ level: 'warn' }, { write: await logLines(session.terminal) }));
  tell(session, command, await work({ config, clock: new SystemClock() }));
}

/** Log lines go to standard error, since standard output is for the answer. */
async function logLines(terminal: Terminal): Promise<(line: string) => void> {
  const readable = await terminalLines({ isTTY: terminal.isInteractive, write: terminal.err });
  return line => (readable ? readable.write(line) : terminal.err(line));
}

export function tell({ terminal, answered }: Session, command: Command, answer: Answer): void {
  const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
  if (isJson && answer.json) terminal.out(`${JSON.stringify(answer.json)}\n`);
  if (!isJson) terminal.out(answer.lines.map(line => `${line}\n`).join(''));
  answered(answer.exitCode ?? 0);
}

export function example(line: string): string {
  return `\nExample:\n  npx quittance ${line}`;
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
