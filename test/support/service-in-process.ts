import { rmSync } from 'node:fs';
import { Writable } from 'node:stream';
import { operatorContext } from '../../src/cli/operator-context';
import { executeCommand } from '../../src/cli/nest-commands';
import { runProgram } from '../../src/cli/program';
import { openToolbox, type Toolbox } from '../../src/cli/toolbox';
import { RegisterMerchant, type RegisteredMerchant } from '../../src/processes/accounts/register-merchant';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { loadConfig } from '../../src/platform/config/config';
import { createLogger } from '../../src/platform/logging/logger';
import type { Service } from '../../src/composition/service';
import { startService } from '../../src/composition/start-service';
import { hashCheaply } from './cheap-hashes';
import { memoryFolder } from './memory-folder';
import { freePort } from './service-process';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

export type HttpAsk = {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * The very service, wired as in production on its embedded engines, within the test's own process; without chains
 * unless `settings` say so.
 */
export class ServiceInProcess {
  private constructor(
    private service: Service,
    private env: Readonly<Record<string, string>>,
    readonly url: string,
    /** Lines of the service's log, each an object in JSON; none without LOG_LEVEL. */
    readonly logged: string[],
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<ServiceInProcess> {
    hashCheaply();
    const port = await freePort();
    const env = {
      NODE_ENV: 'test',
      DATA_FOLDER: memoryFolder(),
      PORT: String(port),
      SANDBOX_CHAINS: 'off',
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      ...settings,
    };
    const logged: string[] = [];
    return new ServiceInProcess(await started(env, logged), env, `http://127.0.0.1:${port}`, logged);
  }

  /** Settings that the command line takes at once, and the service with its next start. */
  configure(settings: Readonly<Record<string, string>>): void {
    this.env = { ...this.env, ...settings };
  }

  async restart(): Promise<void> {
    await this.service.stop();
    this.service = await started(this.env, this.logged);
  }

  /** Registers as the command line program does, beside the running service. */
  async register(name: string): Promise<RegisteredMerchant> {
    const email = `${name.toLowerCase().replace(/\W/g, '.')}@example.com`;
    return this.beside(toolbox => {
      const register = new RegisterMerchant(name, email, 'plum harbour 47 lanterns', operatorContext(toolbox));
      return executeCommand(toolbox, register);
    });
  }

  /** Works on the service's data as another process does, while the service runs. */
  async beside<T>(work: (toolbox: Toolbox) => Promise<T>): Promise<T> {
    const toolbox = await openToolbox(this.env, () => undefined, 'alice');
    try {
      return await work(toolbox);
    } finally {
      await toolbox.close();
    }
  }

  /** Runs the command line program beside the service; answers its output, as JSON. */
  async run<T>(...args: readonly string[]): Promise<T & { readonly exitCode: number }> {
    const written = { out: '', err: '' };
    const exitCode = await runProgram([...args, '--json'], {
      env: this.env,
      out: text => void (written.out += text),
      err: text => void (written.err += text),
      user: 'alice',
      isInteractive: false,
      readLine: () => Promise.resolve(''),
      signal: new AbortController().signal,
    });
    if (written.out === '') throw new Error(`${args.join(' ')} answered nothing: ${written.err}`);
    return { ...(JSON.parse(written.out) as T), exitCode };
  }

  async ask(line: string, { key = null, body, headers = {} }: HttpAsk = {}): Promise<HttpAnswer> {
    const [method, target] = line.split(' ') as [string, string];
    const answer = await fetch(`${this.url}${target}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  get dataFolder(): string {
    return this.env['DATA_FOLDER'] ?? '';
  }

  /** The data are left. */
  close(): Promise<void> {
    return this.service.stop();
  }

  /** The local chains too, which would outlive it. */
  async stop(): Promise<void> {
    await this.close();
    await SandboxChain.stopFolder(this.dataFolder);
    rmSync(this.dataFolder, { recursive: true });
  }
}

function started(env: Readonly<Record<string, string>>, logged: string[]): Promise<Service> {
  const config = loadConfig(env);
  const sink = new Writable({ write: (chunk, _, done) => (logged.push(String(chunk)), done()) });
  const level = env['LOG_LEVEL'] === undefined ? 'silent' : config.logLevel;
  return startService(config, createLogger({ level }, sink));
}
