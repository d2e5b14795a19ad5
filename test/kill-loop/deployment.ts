import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../support/command-line';
import { eventually, freePort, MAIN, pause, serviceEnvironment } from '../support/service-process';
import { KillableProcess } from './killable-process';

const READY_LIMIT_MS = 120_000;
const ROLES = ['watchers', 'processes', 'projections'] as const;

/** `serverCommand` starts the event store in the foreground, on a data folder that outlives it. */
export type Engines = {
  readonly eventStoreUrl: string;
  readonly mongodbUrl: string;
  readonly serverCommand: string;
};

/** The service split by role over five processes, two of them the API, beside the event store's own server. */
export class Deployment {
  readonly dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-kills-'));
  readonly env: Readonly<Record<string, string>>;
  readonly apiUrls: string[] = [];
  readonly processes: KillableProcess[] = [];
  private readonly server: KillableProcess;

  constructor(engines: Engines) {
    this.env = { EVENTSTORE_URL: engines.eventStoreUrl, MONGODB_URL: engines.mongodbUrl };
    this.server = new KillableProcess({
      name: 'event store',
      command: '/bin/sh',
      args: ['-c', `exec ${engines.serverCommand}`],
      // The server takes each variable EVENTSTORE_… for an option of its own, and ends at one that it does not know.
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      logFile: this.logOf('event-store'),
    });
  }

  /** All processes are started at once, and while the server may still be starting. */
  async start(): Promise<void> {
    for (const name of ['api-1', 'api-2']) {
      const port = await freePort();
      this.apiUrls.push(`http://127.0.0.1:${port}`);
      this.processes.push(this.roleProcess(name, 'api', port));
    }
    for (const role of ROLES) this.processes.push(this.roleProcess(role, role, await freePort()));
    this.processes.push(this.server);
    await this.ready();
  }

  async ready(): Promise<void> {
    for (const url of this.apiUrls) {
      await eventually(`${url} is ready`, READY_LIMIT_MS, async () => {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
        return answer?.ok || null;
      });
    }
  }

  /** One after another, each at a moment of its own. */
  async killEach(longestPauseMs: number, random: () => number): Promise<void> {
    for (const each of this.processes) {
      await pause(Math.floor(random() * longestPauseMs));
      await each.killAndRestart();
    }
  }

  async stop(): Promise<void> {
    for (const each of this.processes.filter(each => each !== this.server)) await each.end('SIGTERM');
    await runCli(this.dataFolder, ['sandbox', 'stop'], this.env).catch((error: unknown) => console.error(error));
    await this.server.end('SIGTERM');
  }

  /** The logs are worth keeping where something went wrong. */
  remove(): void {
    rmSync(this.dataFolder, { recursive: true, force: true });
  }

  private roleProcess(name: string, role: string, port: number): KillableProcess {
    const env = { ...this.env, ROLES: role };
    return new KillableProcess({
      name,
      command: process.execPath,
      args: ['--enable-source-maps', MAIN],
      env: serviceEnvironment({ dataFolder: this.dataFolder, port, env }),
      logFile: this.logOf(name),
    });
  }

  private logOf(name: string): string {
    return path.join(this.dataFolder, `${name}.log`);
  }
}
