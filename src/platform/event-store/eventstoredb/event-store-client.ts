import type {
  CreatePersistentSubscriptionToAllOptions,
  PersistentAction,
  PersistentSubscriptionToAllInfo,
  PersistentSubscriptionToAllSettings,
  ReadAllOptions,
  ReadStreamOptions,
  ResolvedEvent,
  SubscribeToAllOptions,
  SubscribeToPersistentSubscriptionToAllOptions,
} from '@eventstore/db-client';
import type { ExpectedRevision } from '../../../kernel/ports/event-store';
import type { EncodedEvent } from './event-codec';

/** The used part of a node stream of objects, which emits `error` without being destroyed. */
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

export type AppendRequest = {
  /** The append's number, from 1; no other append of the process has it. */
  readonly number: number;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
};

/** The used part of `@eventstore/db-client`, so that a test can put a misbehaving client in its place. */
export interface EventStoreClient {
  /** Answers the revision of the last event. Throws StoreUnavailable where nothing was sent. */
  append(request: AppendRequest): Promise<bigint>;
  /** Drops the answer to an append, if the answer still comes. */
  forgetAppend(number: number): void;
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
  /** Cancels the connection's streams. */
  dispose(): Promise<void>;
}

export type GroupInfo = Pick<PersistentSubscriptionToAllInfo, 'settings' | 'stats'>;

export type Connect = () => EventStoreClient;
