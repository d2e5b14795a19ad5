import type {
  AppendToStreamOptions,
  CreatePersistentSubscriptionToAllOptions,
  Credentials,
  EventData,
  PersistentAction,
  PersistentSubscriptionToAllInfo,
  PersistentSubscriptionToAllSettings,
  ReadAllOptions,
  ReadStreamOptions,
  ResolvedEvent,
  SubscribeToAllOptions,
  SubscribeToPersistentSubscriptionToAllOptions,
} from '@eventstore/db-client';

/** A node stream of objects, as far as it is used. It says `error` by emitting it, without being destroyed. */
export interface ObjectStream {
  readonly readableLength: number;
  read(): unknown;
  on(event: string, listener: (...facts: unknown[]) => void): unknown;
  destroy(): unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

export type EventRead = ObjectStream & { cancel(): Promise<void> };
export type EventSubscription = ObjectStream & { unsubscribe(): Promise<void> };
export type GroupSubscription = EventSubscription & {
  ack(...events: ResolvedEvent[]): Promise<void>;
  nack(action: PersistentAction, reason: string, ...events: ResolvedEvent[]): Promise<void>;
};
export type StreamLimits = { readonly highWaterMark: number };

/** What is used of `@eventstore/db-client`, so that a test can put a misbehaving one in its place. */
export interface EventStoreClient {
  appendToStream(
    stream: string,
    events: EventData[],
    options: AppendToStreamOptions,
  ): Promise<{ readonly nextExpectedRevision: bigint }>;
  readStream(stream: string, options: ReadStreamOptions): EventRead;
  readAll(options: ReadAllOptions): EventRead;
  subscribeToAll(options: SubscribeToAllOptions, limits: StreamLimits): EventSubscription;
  subscribeToPersistentSubscriptionToAll(
    group: string,
    options: SubscribeToPersistentSubscriptionToAllOptions,
    limits: StreamLimits,
  ): GroupSubscription;
  createPersistentSubscriptionToAll(
    group: string,
    settings: PersistentSubscriptionToAllSettings,
    options: CreatePersistentSubscriptionToAllOptions,
  ): Promise<void>;
  updatePersistentSubscriptionToAll(group: string, settings: PersistentSubscriptionToAllSettings): Promise<void>;
  getPersistentSubscriptionToAllInfo(group: string): Promise<GroupInfo>;
  replayParkedMessagesToAll(group: string): Promise<void>;
  /** Cancels its streams. */
  dispose(): Promise<void>;
}

export type GroupInfo = Pick<PersistentSubscriptionToAllInfo, 'settings' | 'stats'>;

export type Connection = {
  readonly client: EventStoreClient;
  /**
   * With credentials of its own each append is a call of its own. Without, all appends of the process share one stream,
   * and each fault of the stream becomes a fault of every append. The appends end pending for ever, rejected for
   * another's sake, or in an unhandled rejection.
   */
  readonly appendCredentials: Credentials | undefined;
};

export type Connect = () => Connection;
