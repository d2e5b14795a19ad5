import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** The pause of a supervisor, so that a process that cannot start does not fill the disk with its complaints. */
const RESTART_PAUSE_MS = 1_000;

export type KillableOptions = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
};

/**
 * A process that is killed without warning and started again. The process leads a group of its own, so that its
 * children die with it.
 */
export class KillableProcess {
  /** The number of ends that no kill caused. */
  endedByItself = 0;
  kills = 0;
  private child: ChildProcess;
  private isWanted = true;

  constructor(private readonly options: KillableOptions) {
    this.child = this.spawn();
  }

  get name(): string {
    return this.options.name;
  }

  async killAndRestart(): Promise<void> {
    this.kills += 1;
    await this.end('SIGKILL');
    this.isWanted = true;
    this.child = this.spawn();
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.isWanted = false;
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-(child.pid as number), signal);
    await ended;
  }

  private spawn(): ChildProcess {
    const { command, args, env, logFile } = this.options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { env, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    child.once('exit', () => {
      if (!this.isWanted || this.child !== child) return;
      this.endedByItself += 1;
      setTimeout(() => {
        if (this.isWanted && this.child === child) this.child = this.spawn();
      }, RESTART_PAUSE_MS);
    });
    return child;
  }
}
