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

/** The index has not come to the goal, which stays: a goal that moved with the log might never be reached. */
class IndexBehind extends StoreUnavailable {
  constructor() {
    super('the index of webhook endpoints is behind the log');
  }
}

/**
 * The endpoints that events are opened for. An event is never opened for an endpoint that the index lacks, and the
 * index of new documents lacks endpoints until it is filled. So the index must hold the log's head as read at the first
 * question, and at the first one after an outage. A later endpoint is listed before its creation is answered.
 */
export class EndpointIndex {
  private goal: LogPosition | null = null;
  private completeUntilMs = -Infinity;
  private reaching: Promise<void> | null = null;

  constructor(private readonly parts: EndpointIndexParts) {}

  /** Begins the wait before the first event comes. A failure is told by that event, which meets it again. */
  async prepare(): Promise<void> {
    await this.reach().catch((error: unknown) => this.forget(error));
  }

  /** Endpoints that may have wanted an event of the merchant. Throws StoreUnavailable while the index lacks some. */
  async of(mode: Mode, merchantId: string | null): Promise<readonly string[]> {
    try {
      if (this.parts.clock.now() >= this.completeUntilMs) await this.reach();
      return (await listedEndpoints(this.parts.readModels, merchantId, mode)).map(({ id }) => id);
    } catch (error) {
      this.forget(error);
      throw error;
    }
  }

  /** After an outage, the documents may be older ones than before, and lack later endpoints. */
  private forget(error: unknown): void {
    this.completeUntilMs = -Infinity;
    if (!(error instanceof IndexBehind)) this.goal = null;
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
      if (waitedMs >= PATIENCE_MS) throw new IndexBehind();
      await clock.wait(POLL_MS);
    }
    // An outage that began meanwhile counts.
    if (this.goal === goal) this.completeUntilMs = clock.now() + TRUSTED_MS;
  }
}
