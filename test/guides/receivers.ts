import { buildSync } from 'esbuild';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, freePort } from '../support/service-process';

const CLIENT = path.resolve(__dirname, '..', '..', 'clients', 'typescript', 'src', 'index.ts');
/** A compiler that runs for the first time on a busy machine needs long. */
const START_LIMIT_MS = 60_000;

export type Delivery = { readonly body: Buffer; readonly header: string | null };

/** The program of a guide's example. `needs` are its runtime's programs. */
export type Runtime = {
  readonly needs: readonly string[];
  /** Makes ready what stands in the folder. */
  readonly build?: (folder: string, file: string) => void;
  readonly command: (file: string, port: number) => readonly [string, ...string[]];
  /** Judges one delivery by hand, in place of a server: the header as an argument, the body on standard input. */
  readonly isScript?: boolean;
};

/** By the file's name. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  'receiver.ts': { needs: [], build: bundle, command: () => [process.execPath, 'receiver.cjs'] },
  'receiver.mjs': { needs: [], command: file => [process.execPath, file] },
  'receiver.py': { needs: ['python3'], command: file => ['python3', file] },
  'receiver.php': { needs: ['php'], command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file] },
  'receiver.go': { needs: ['go'], build: compileGo, command: () => ['./receiver'] },
  'verify.sh': { needs: ['openssl'], command: file => ['bash', file], isScript: true },
};

/** The example imports the client as its users do. */
function bundle(folder: string, file: string): void {
  buildSync({
    entryPoints: [path.join(folder, file)],
    outfile: path.join(folder, 'receiver.cjs'),
    bundle: true,
    platform: 'node',
    alias: { 'quittance-client': CLIENT },
    logLevel: 'error',
  });
}

function compileGo(folder: string, file: string): void {
  const { status, stderr } = spawnSync('go', ['build', '-o', 'receiver', file], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

export function isInstalled({ needs }: Runtime): boolean {
  return needs.every(name => spawnSync('bash', ['-c', `command -v ${name}`]).status === 0);
}

/** A receiver of a guide, as its reader runs it. */
export class Receiver {
  private constructor(
    private readonly runtime: Runtime,
    private readonly command: readonly [string, ...string[]],
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly child: ChildProcess | null,
  ) {}

  static async start(folder: string, file: string, code: string, secret: string): Promise<Receiver> {
    const runtime = RUNTIMES[file];
    if (!runtime) throw new Error(`no runtime is known for ${file}`);
    writeFileSync(path.join(folder, file), code);
    runtime.build?.(folder, file);
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: folder, PORT: String(port), WEBHOOK_SECRET: secret };
    const command = runtime.command(file, port);
    if (runtime.isScript) return new Receiver(runtime, command, folder, env, null);
    const [program, ...args] = command;
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const receiver = new Receiver(runtime, command, folder, env, child);
    await eventually(`${file} to listen`, START_LIMIT_MS, () => receiver.isListening());
    return receiver;
  }

  /** Whether the receiver takes the delivery: 200 against 400, or the exit codes 0 and 1. */
  async takes({ body, header }: Delivery): Promise<boolean> {
    if (this.runtime.isScript) return this.judges({ body, header });
    const { status } = await this.post(body, header);
    if (status !== 200 && status !== 400) throw new Error(`the receiver answers ${status}`);
    return status === 200;
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private judges({ body, header }: Delivery): boolean {
    const [program, ...args] = this.command;
    const options = { cwd: this.folder, env: this.env, input: body };
    const { status } = spawnSync(program, [...args, header ?? ''], options);
    if (status !== 0 && status !== 1) throw new Error(`the script ends with ${status}`);
    return status === 0;
  }

  private post(body: Buffer, header: string | null): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...(header !== null && { 'service-signature': header }) };
    return fetch(`http://127.0.0.1:${this.env['PORT']}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
  }

  private async isListening(): Promise<true | null> {
    if (this.child?.exitCode !== null) throw new Error(`the receiver ended with ${this.child?.exitCode}`);
    return this.post(Buffer.from('{}'), null).then(
      () => true,
      () => null,
    );
  }
}
