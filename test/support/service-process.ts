import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createWriteStream, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..', __dirname.includes(`${path.sep}dist${path.sep}`) ? '..' : '');
export const MAIN = path.join(ROOT, 'dist', 'src', 'main.js');
export const CLI = path.join(ROOT, 'dist', 'src', 'cli', 'main.js');
/**
 * The flags of node with which a start takes two fifths of the usual processor time. Its modules are compiled once, and
 * one thread clears its memory. Functions are optimized later, since a process of a test ends soon. More room for young
 * objects than the usual would cost more than it saves. The stacks of such a process name the built files, since node
 * maps the modules alone that node itself compiles.
 */
export const QUICK_START = [
  '--require',
  path.join(ROOT, 'test', 'support', 'code-cache.cjs'),
  '--single-threaded-gc',
  '--interrupt-budget=1000000',
];
const START_LIMIT_MS = 30_000;

/** The PATH on which `node` has the flags of a quick start, for programs that others start; `folder` is its own. */
export function quickStartPath(folder: string): string {
  const command = [process.execPath, ...QUICK_START].map(part => `'${part}'`).join(' ');
  writeFileSync(path.join(folder, 'node'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return `${folder}${path.delimiter}${process.env.PATH}`;
}

const POLL_MS = 50;
/**
 * Ports below those that systems give out by themselves, and every eighth for a worker of the tests. So no other
 * process is given a service's port while the service is not up, before its start or after a kill.
 */
const PORTS = { from: 20_000, below: 32_000, each: 8 };
const PORT_TRIES = 20;

let engines: Readonly<Record<string, string>> = {};

/**
 * Every process that is started afterwards works on the engines that these variables name; on embedded ones where they
 * name none.
 */
export function useEngines({ EVENTSTORE_URL, MONGODB_URL }: NodeJS.ProcessEnv): readonly string[] {
  engines = { ...(EVENTSTORE_URL && { EVENTSTORE_URL }), ...(MONGODB_URL && { MONGODB_URL }) };
  return Object.keys(engines);
}

export type ServiceOptions = {
  readonly dataFolder: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The flags of node; those of a quick start where none are given. */
  readonly flags?: readonly string[];
};

/** The built service as its own process, so that a test can kill it as a machine would. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly baseUrl: string,
  ) {}

  /** Resolves when /readyz says so; rejects with the process's last words when it ends instead. */
  static async start({ dataFolder, port, env = {}, flags = QUICK_START }: ServiceOptions): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...flags, MAIN], {
      env: serviceEnvironment({ dataFolder, port, env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(path.join(dataFolder, 'service.log'), { flags: 'a' });
    let lastWords = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        log.write(chunk);
        lastWords = (lastWords + chunk.toString()).slice(-2_000);
      });
    }
    const service = new ServiceProcess(child, `http://127.0.0.1:${port}`);
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await service.isReady())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`the service did not become ready:\n${lastWords}`);
      }
      await pause(POLL_MS);
    }
    return service;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  private async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.baseUrl}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok;
    } catch {
      return false;
    }
  }
}

export function serviceEnvironment({ dataFolder, port, env = {} }: ServiceOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_FOLDER: dataFolder,
    PORT: String(port),
    MODES: 'test',
    WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8,::1/128',
    ...engines,
    ...env,
  };
}

export async function freePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID ?? 0) % PORTS.each;
  for (let left = PORT_TRIES; ; left--) {
    const port = randomInt(PORTS.from / PORTS.each, PORTS.below / PORTS.each) * PORTS.each + worker;
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || left <= 1) throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

export function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}

/** Asks again until the answer is not null. A condition is waited for, never a time. */
export async function eventually<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | null> | T | null,
): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await pause(POLL_MS)) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
  }
}
