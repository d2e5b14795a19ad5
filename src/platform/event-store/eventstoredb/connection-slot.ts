import { ErrorType } from '@eventstore/db-client';
import type { Clock } from '../../../kernel/clock';
import { StoreUnavailable } from '../../../kernel/ports/event-store';
import { describe, isErrorType } from './client-errors';
import { within } from './deadline';
import type { Connect, EventStoreClient } from './event-store-client';

const PROBE_DEADLINE_MS = 5_000;
const DISPOSE_DEADLINE_MS = 5_000;
/**
 * A group that does not exist: a question about it goes through the client's capability call, to the server and back.
 */
const PROBED_GROUP = 'connection-probe';

/**
 * One connection, which is probed before its first use and after each failure. A client keeps the failure of its
 * capability call for ever, and that call has no deadline. So a connection that fails its probe is replaced by a new
 * one.
 */
export class ConnectionSlot {
  private connection: EventStoreClient | null = null;
  private isProven = false;
  private proving: Promise<EventStoreClient> | null = null;
  private retired: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly connect: Connect,
    private readonly clock: Clock,
  ) {}

  /** A connection that has answered since its last failure. Throws StoreUnavailable. */
  ready(): Promise<EventStoreClient> {
    if (this.connection && this.isProven) return Promise.resolve(this.connection);
    this.proving ??= this.prove().finally(() => (this.proving = null));
    return this.proving;
  }

  /** Notes that a call failed: the connection is probed before the next one. */
  distrust(connection: EventStoreClient): void {
    if (connection === this.connection) this.isProven = false;
  }

  /** Notes that a call got no answer at all: its client may wait for ever. */
  replace(connection: EventStoreClient): void {
    if (connection !== this.connection) return;
    this.connection = null;
    this.isProven = false;
    const disposed = within(this.clock, DISPOSE_DEADLINE_MS, 'dispose', connection.dispose());
    this.retired = Promise.allSettled([this.retired, disposed]).then(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.connection) this.replace(this.connection);
    await this.retired;
  }

  private async prove(): Promise<EventStoreClient> {
    // The old client's calls must have ended: the server drops the repetition of an append that is still on its way.
    await this.retired;
    if (this.isClosed) throw new StoreUnavailable('the event store is closed');
    const connection = (this.connection ??= this.connect());
    try {
      const asked = connection.getPersistentSubscriptionToAllInfo(PROBED_GROUP);
      await within(this.clock, PROBE_DEADLINE_MS, 'connection probe', asked);
    } catch (error) {
      if (!isAnswer(error)) {
        this.replace(connection);
        throw new StoreUnavailable(`EventStoreDB cannot be reached: ${describe(error)}`, { cause: error });
      }
    }
    if (this.connection !== connection)
      throw new StoreUnavailable('EventStoreDB cannot be reached: replaced meanwhile');
    this.isProven = true;
    return connection;
  }
}

function isAnswer(error: unknown): boolean {
  return isErrorType(
    error,
    ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST,
    ErrorType.NOT_FOUND,
    ErrorType.ACCESS_DENIED,
  );
}
