import { cpSync, rmSync } from 'node:fs';
import { runProgram } from '../../src/cli/program';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { loadMasterKeys } from '../../src/platform/secrets/master-key';
import { hashCheaply } from '../support/cheap-hashes';
import { memoryFolder } from '../support/memory-folder';

export type Ran = { readonly exitCode: number; readonly out: string; readonly err: string };

/** A data folder as a service's first start leaves it, and the program run on it as its user would. */
export class CliSession {
  readonly folder = memoryFolder();

  /** `like`: the session whose folder is copied, as it is now. */
  constructor(like?: CliSession) {
    hashCheaply();
    if (like) {
      cpSync(like.folder, this.folder, { recursive: true });
      return;
    }
    const source = { secretKey: null, formerSecretKey: null, dataFolder: this.folder };
    loadMasterKeys(source, new SystemEntropy());
    EmbeddedFile.open(this.folder, { role: 'service' }).close();
  }

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
