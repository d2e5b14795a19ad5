import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../src/cli/program';

export type Ran = { readonly exitCode: number; readonly out: string; readonly err: string };

/** One data folder, and the program run on it as its user would, within this process. */
export class CliSession {
  readonly folder = mkdtempSync(join(tmpdir(), 'quittance-cli-'));

  async run(args: readonly string[], input = '', env = this.env): Promise<Ran> {
    const written = { out: '', err: '' };
    const exitCode = await runProgram(args, {
      env,
      out: text => void (written.out += text),
      err: text => void (written.err += text),
      user: 'alice',
      isInteractive: false,
      readLine: () => Promise.resolve(input),
      signal: new AbortController().signal,
    });
    return { exitCode, ...written };
  }

  async json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T & { readonly exitCode: number }> {
    const { exitCode, out, err } = await this.run([...args, '--json']);
    if (out === '') throw new Error(`${args.join(' ')} answered nothing: ${err}`);
    return { ...(JSON.parse(out) as T), exitCode };
  }

  get env(): Readonly<Record<string, string>> {
    return { NODE_ENV: 'test', DATA_FOLDER: this.folder };
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}
