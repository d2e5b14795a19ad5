import { SECOND_MS, type Clock } from '../../../kernel/clock';
import type { Mode } from '../../../vocabulary/modes';
import type { LogPosition } from '../../../kernel/log-position';
import { StoreUnavailable } from '../../../kernel/ports/event-store';
import type { IndexProgress } from '../../../kernel/ports/index-progress';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { listedEndpoints } from '../../../modules/webhooks/listed-endpoints';
import { webhookEndpointsReadModel } from '../../../modules/webhooks/webhook-endpoints.read-model';

/** Twice as long as a projection that follows the log takes to write its checkpoint. */
const PATIENCE_MS = 2 * SECOND_MS;
const POLL_MS = 100;
/** A complete index counts as complete for so long: events cost no further question. */
const TRUSTED_MS = SECOND_MS;

export type EndpointIndexParts = {
  readonly readModels: ReadModels;
  readonly progress: IndexProgress;
  readonly clock: Clock;
};

/**
 * The endpoints that events are opened for. An event is never opened for an endpoint that the index lacks, and the
 * index of new documents lacks endpoints until it is filled. So the index must hold the log's head as read at the first
 * question. A later endpoint is listed before its creation is answered.
 */
export class EndpointIndex {
  private goal: LogPosition | null = null;
  private completeUntilMs = -Infinity;
  private reaching: Promise<void> | null = null;

  constructor(private readonly parts: EndpointIndexParts) {}

  /** Endpoints that may have wanted an event of the merchant. Throws StoreUnavailable while the index lacks some. */
  async of(mode: Mode, merchantId: string | null): Promise<readonly string[]> {
    try {
      if (this.parts.clock.now() >= this.completeUntilMs) await this.reach();
      return (await listedEndpoints(this.parts.readModels, merchantId, mode)).map(({ id }) => id);
    } catch (error) {
      // After an outage, the documents may be other ones than before.
      this.completeUntilMs = -Infinity;
      throw error;
    }
  }

  /** All events that are handled meanwhile share one wait. */
  private reach(): Promise<void> {
    this.reaching ??= this.reachGoal().finally(() => (this.reaching = null));
    return this.reaching;
  }

  private async reachGoal(): Promise<void> {
    const { progress, clock } = this.parts;
    const goal = (this.goal ??= await progress.head());
    for (let waitedMs = 0; !(await progress.holds(webhookEndpointsReadModel, goal)); waitedMs += POLL_MS) {
      if (waitedMs >= PATIENCE_MS) throw new StoreUnavailable('the index of webhook endpoints is behind the log');
      await clock.wait(POLL_MS);
    }
    this.completeUntilMs = clock.now() + TRUSTED_MS;
  }
}
