import 'reflect-metadata';
import { runProgram } from '../../src/cli/program';
import { serviceEnvironment } from './service-process';

/** No command listens on it. */
const PORT = 20_000;

export type CliEnd = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs the command line program to its end, with `--json`, beside a service in another process. In a process of its own
 * the program would take most of its time to be loaded.
 */
export async function cliEnd(
  dataFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliEnd> {
  const output = { stdout: '', stderr: '' };
  const code = await runProgram([...args, '--json'], {
    env: serviceEnvironment({ dataFolder, port: PORT, env }),
    out: text => void (output.stdout += text),
    err: text => void (output.stderr += text),
    user: 'alice',
    isInteractive: false,
    readLine: () => Promise.resolve(''),
    signal: new AbortController().signal,
  });
  return { code, ...output };
}

/** Runs the command line program; resolves to its output, as JSON, which may tell of a fault. */
export async function runCli(
  dataFolder: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cliEnd(dataFolder, args, env);
  if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}
