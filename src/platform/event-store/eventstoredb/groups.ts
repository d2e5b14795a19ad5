import { ErrorType, type ResolvedEvent } from '@eventstore/db-client';
import { START_OF_LOG, type EventFilter, type GroupStatus } from '../../../kernel/ports/event-store';
import { asStoreError, isErrorType } from './client-errors';
import { logPosition, safeInteger } from './event-codec';
import { everythingFilter } from './event-filter';
import type { EventStoreClient, GroupInfo } from './event-store-client';
import { GroupFilters } from './group-filters';
import { GROUP_SETTINGS, hasOtherSettings } from './group-settings';
import { streamReadOptions, type GuardedClient } from './guarded-client';

/** Makes persistent subscriptions to the whole log, and reads their state. */
export class Groups {
  readonly filters: GroupFilters;

  constructor(private readonly guarded: GuardedClient) {
    this.filters = new GroupFilters(guarded);
  }

  async ensure(group: string, filter: EventFilter): Promise<void> {
    await this.filters.choose(group, filter);
    if (await this.create(group)) return;
    const { settings } = await this.info(group);
    if (!hasOtherSettings(settings)) return;
    await this.call(`update of group ${group}`, client =>
      client.updatePersistentSubscriptionToAll(group, GROUP_SETTINGS),
    );
  }

  async status(group: string): Promise<GroupStatus> {
    const { stats } = await this.info(group);
    const isIdle =
      stats.totalInFlightMessages + stats.outstandingMessagesCount + stats.retryBufferCount + stats.readBufferCount ===
        0 && stats.liveBufferCount === 0n;
    // The server's checkpoint is written behind. While no message is under way, all messages that the group knows are
    // done.
    const reached = (isIdle ? stats.lastKnownEventPosition : null) ?? stats.lastCheckpointedEventPosition;
    return {
      name: group,
      parked: safeInteger(stats.parkedMessageCount, `${group}: parked messages`),
      lastPosition: reached ? logPosition(reached.commit, `${group}: position`) : START_OF_LOG,
    };
  }

  /**
   * The server keeps parked messages as links, in a stream of its own for each group. A replay cuts that stream, so
   * links that are left are of parked messages. A link whose event is gone is left out.
   */
  async parked(group: string, limit: number): Promise<readonly ResolvedEvent[]> {
    await this.info(group);
    const stream = `$persistentsubscription-$all::${group}-parked`;
    const links = await this.guarded.readStream(stream, streamReadOptions('forwards', undefined, limit));
    const found = await Promise.all((links ?? []).map(link => this.linked(link)));
    return found.flat();
  }

  private async linked({ event }: ResolvedEvent): Promise<readonly ResolvedEvent[]> {
    const { revision, stream } = parseLink(event?.data);
    return (await this.guarded.readStream(stream, streamReadOptions('forwards', revision, 1))) ?? [];
  }

  /** The server replays without telling a number, so the number parked just before is answered. */
  async replayParked(group: string): Promise<number> {
    const { parked } = await this.status(group);
    if (parked === 0) return 0;
    await this.call(`replay of group ${group}`, client => client.replayParkedMessagesToAll(group));
    return parked;
  }

  /** False when the group exists already. */
  private async create(group: string): Promise<boolean> {
    try {
      await this.guarded.call(`creation of group ${group}`, client =>
        client.createPersistentSubscriptionToAll(group, GROUP_SETTINGS, { filter: everythingFilter() }),
      );
      return true;
    } catch (error) {
      if (isErrorType(error, ErrorType.PERSISTENT_SUBSCRIPTION_EXISTS)) return false;
      throw asStoreError(`creation of group ${group}`, error);
    }
  }

  private info(group: string): Promise<GroupInfo> {
    return this.call(`status of group ${group}`, client => client.getPersistentSubscriptionToAllInfo(group));
  }

  private async call<T>(what: string, work: (client: EventStoreClient) => Promise<T>): Promise<T> {
    try {
      return await this.guarded.call(what, work);
    } catch (error) {
      if (isErrorType(error, ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST, ErrorType.NOT_FOUND)) {
        throw new RangeError(`${what}: no such group; ensureGroup makes it`, { cause: error });
      }
      throw asStoreError(what, error);
    }
  }
}

const LINK = /^(\d{1,15})@(.+)$/;

/** A link's data is a text such as `3@test.payment_intent-pi_…`. */
function parseLink(data: unknown): { readonly revision: number; readonly stream: string } {
  const text = data instanceof Uint8Array ? Buffer.from(data).toString() : String(data);
  const match = LINK.exec(text);
  if (!match) throw new TypeError(`not a link to an event: ${text}`);
  return { revision: Number(match[1]), stream: match[2] as string };
}
