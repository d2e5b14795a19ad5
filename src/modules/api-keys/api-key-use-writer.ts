import { SECOND_MS, type Clock } from '../../kernel/clock';
import type { Log } from '../../kernel/ports/log';
import type { ApiKeyUses } from './api-key-uses';

const FLUSH_EVERY_MS = SECOND_MS;

/** Writes the noted uses once a second until the application shuts down, and the remaining ones then. */
export class ApiKeyUseWriter {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly uses: ApiKeyUses,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.clock.wait(FLUSH_EVERY_MS, this.stopping.signal);
      try {
        await this.uses.flush();
      } catch (error) {
        this.log.warn({ err: error }, 'uses of API keys could not be written; tried again in a second');
      }
    }
  }
}
