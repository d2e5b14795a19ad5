import { SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { LogPosition } from '../../kernel/log-position';
import type { IndexProgress } from '../../kernel/ports/index-progress';

/** Twice as long as a projection that follows the log takes to write its checkpoint. */
const PATIENCE_MS = 2 * SECOND_MS;
const POLL_MS = 100;

type Followed = { readonly name: string; readonly version: number };

/** Waits for the documents, for callers that conclude something from an entry's absence. */
export class IndexWait {
  constructor(
    private readonly progress: IndexProgress,
    private readonly clock: Clock,
  ) {}

  /** Whether the documents of each read model hold every event that the log has now. */
  async isAtHead(readModels: readonly Followed[]): Promise<boolean> {
    const head = await this.progress.head();
    const held = await Promise.all(readModels.map(readModel => this.progress.holds(readModel, head)));
    return held.every(each => each);
  }

  /**
   * Resolves once the documents of each read model hold every event that the log has now, and answers its position.
   * Throws Refusal provider_unavailable where the wait is too long.
   */
  async reachHead(readModels: readonly Followed[]): Promise<LogPosition> {
    const head = await this.progress.head();
    for (const readModel of readModels) {
      for (let waitedMs = 0; !(await this.progress.holds(readModel, head)); waitedMs += POLL_MS) {
        const message = `The list ${readModel.name} is behind the log.`;
        if (waitedMs >= PATIENCE_MS) throw refuse('provider_unavailable', { message });
        await this.clock.wait(POLL_MS);
      }
    }
    return head;
  }
}
