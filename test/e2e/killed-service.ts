import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../support/command-line';
import { Merchant } from '../support/merchant';
import { freePort, pause, ServiceProcess } from '../support/service-process';

const AWAY = 'http://127.0.0.1:9';
/** Networks beside Base have no local chain, and their providers do not answer. No storm is held up by its number. */
const ENV = { BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

/** A merchant of the built service, whose process is killed and started again over the same data. */
export class KilledService {
  private constructor(
    readonly dataFolder: string,
    private readonly port: number,
    private service: ServiceProcess,
    readonly merchant: Merchant,
  ) {}

  static async start(): Promise<KilledService> {
    const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-kill-'));
    const port = await freePort();
    const service = await ServiceProcess.start({ dataFolder, port, env: ENV });
    return new KilledService(dataFolder, port, service, await Merchant.register(dataFolder, service.baseUrl));
  }

  get baseUrl(): string {
    return this.service.baseUrl;
  }

  async killAndRestart(delayMs = 0): Promise<void> {
    await pause(delayMs);
    await this.kill();
    await this.restart();
  }

  kill(): Promise<void> {
    return this.service.kill('SIGKILL');
  }

  async restart(): Promise<void> {
    this.service = await ServiceProcess.start({ dataFolder: this.dataFolder, port: this.port, env: ENV });
  }

  async stop(): Promise<void> {
    await this.service.kill('SIGTERM');
    await runCli(this.dataFolder, ['sandbox', 'stop']);
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}
