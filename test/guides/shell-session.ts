import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '../support/service-process';
import { TerminalProgram } from './terminal-program';

const ROOT = path.resolve(__dirname, '..', '..');

/** A terminal with bash, into which a reader copies one block after the other. A failed command ends the session. */
export class ShellSession {
  output = '';
  private blocks = 0;
  private readonly shell: ChildProcess;
  private program: TerminalProgram | null = null;

  private constructor(home: string, bin: string, env: NodeJS.ProcessEnv) {
    const PATH = `${bin}:${process.env.PATH}`;
    // The programs in the background are of the session's group, so that no one of them outlives the session.
    this.shell = spawn('bash', ['-s'], {
      cwd: ROOT,
      env: { PATH, HOME: home, DATA_FOLDER: home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.shell.stdout, this.shell.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.shell.stdin?.write('set -euo pipefail\n');
  }

  /** Works in the project's folder. The session's own files lie in `home`. */
  static async start(home: string, env: NodeJS.ProcessEnv): Promise<ShellSession> {
    const bin = path.join(home, 'bin');
    const session = new ShellSession(home, bin, env);
    session.program = await TerminalProgram.start(bin, told => void (session.output += told));
    return session;
  }

  /** Resolves to what was printed meanwhile, also by programs in the background. */
  async run(block: string, limitMs: number): Promise<string> {
    const [start, mark] = [this.output.length, `end of block ${++this.blocks}`];
    this.shell.stdin?.write(`${block}\necho '${mark}'\n`);
    await eventually(`the end of:\n${block}`, limitMs, () => {
      if (this.output.includes(`${mark}\n`)) return true;
      if (this.shell.exitCode !== null) throw new Error(`the shell ended in:\n${block}\n${this.output.slice(start)}`);
      return null;
    });
    return this.output.slice(start).replace(`${mark}\n`, '');
  }

  async close(): Promise<void> {
    if (this.shell.exitCode === null) {
      const ended = once(this.shell, 'exit');
      this.shell.stdin?.end();
      await ended;
    }
    try {
      process.kill(-(this.shell.pid as number), 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
    await this.program?.close();
  }
}
