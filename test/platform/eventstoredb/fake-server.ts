import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { ErrorType, type Position } from '@eventstore/db-client';
import type {
  AppendRequest,
  EventStoreClient,
} from '../../../src/platform/event-store/eventstoredb/event-store-client';
import { FakeConsumer, FakeGroup } from './fake-group';
import { clientError, FakeLog, resolved, type Entry } from './fake-log';
import { FakeSubscription } from './fake-subscription';

type Call = keyof EventStoreClient;

/** So long the server waits for an append to be replicated, of which it has dropped the repetition. */
const COMMIT_TIMEOUT_MS = 2_000;

/** A server and its clients, which misbehave as the test tells them. */
export class FakeServer {
  readonly log = new FakeLog();
  readonly groups = new Map<string, FakeGroup>();
  readonly subscriptions: FakeSubscription[] = [];
  readonly clients: EventStoreClient[] = [];
  readonly calls: Call[] = [];
  /** Appends that are not replicated yet. */
  private readonly underWay = new Set<string>();
  /**
   * Takes the place of a call's work: its answer or its error is the call's. The call goes on where it gives nothing.
   */
  misbehave: (call: Call, client: EventStoreClient) => Promise<unknown> | undefined = () => undefined;

  /** The server takes subscriptions and gives them nothing. */
  isSilent = false;

  /** The server's own waits are cut to a fraction. */
  constructor(private readonly haste = 50) {}

  readonly connect = (): EventStoreClient => {
    const client = this.client();
    this.clients.push(client);
    return client;
  };

  count(call: Call): number {
    return this.calls.filter(one => one === call).length;
  }

  private client(): EventStoreClient {
    const { log, groups } = this;
    const answer = async <T>(call: Call, work: () => T | Promise<T>): Promise<T> => {
      this.calls.push(call);
      const other = this.misbehave(call, client);
      if (other) return (await other) as T;
      await nextTurn();
      return work();
    };
    const group = (name: string): FakeGroup => {
      const found = groups.get(name);
      if (!found) throw clientError(ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST);
      return found;
    };
    const client: EventStoreClient = {
      append: request => answer('append', () => this.replicate(request)),
      forgetAppend: () => void this.calls.push('forgetAppend'),
      readStream: (stream, { direction, fromRevision, maxCount }) => {
        this.calls.push('readStream');
        const other = this.misbehave('readStream', client);
        if (other) return readThatFails(other);
        const parked = /^\$persistentsubscription-\$all::(.+)-parked$/.exec(stream)?.[1];
        if (parked !== undefined) return readLinks(group(parked).parked.slice(0, Number(maxCount)));
        const standing = log.stream(stream);
        if (standing.length === 0) return failingRead(clientError(ErrorType.STREAM_NOT_FOUND));
        const from = typeof fromRevision === 'bigint' ? Number(fromRevision) : null;
        const found =
          direction === 'backwards' ? standing.slice(0, (from ?? Infinity) + 1).reverse() : standing.slice(from ?? 0);
        return read(found.slice(0, Number(maxCount)));
      },
      readAll: ({ direction, fromPosition, maxCount }) => {
        this.calls.push('readAll');
        const from = typeof fromPosition === 'object' ? (fromPosition as Position).commit : null;
        const isForwards = direction === 'forwards';
        if (from !== null && (isForwards ? from < log.end : true) && !log.isPosition(from))
          return failingRead(noPosition());
        const found = isForwards
          ? log.kept.filter(({ start }) => from === null || start >= from)
          : log.kept.filter(({ end }) => from === null || end <= from).reverse();
        return read(found.slice(0, Number(maxCount)));
      },
      subscribeToAll: (options, limits) => {
        this.calls.push('subscribeToAll');
        const subscription = new FakeSubscription(log, options, limits);
        this.subscriptions.push(subscription);
        if (this.isSilent) subscription.fallSilent();
        return subscription;
      },
      subscribeToPersistentSubscriptionToAll: (name, { bufferSize = 10 }) => {
        this.calls.push('subscribeToPersistentSubscriptionToAll');
        return new FakeConsumer(group(name), bufferSize);
      },
      createPersistentSubscriptionToAll: (name, settings, { filter }) =>
        answer('createPersistentSubscriptionToAll', () => {
          if (groups.has(name)) throw clientError(ErrorType.PERSISTENT_SUBSCRIPTION_EXISTS);
          if (!filter) throw new Error('an unfiltered group would give the events of others');
          groups.set(name, new FakeGroup(log, settings, filter));
        }),
      updatePersistentSubscriptionToAll: (name, settings) =>
        answer('updatePersistentSubscriptionToAll', () => void (group(name).settings = settings)),
      getPersistentSubscriptionToAllInfo: name =>
        answer('getPersistentSubscriptionToAllInfo', () => group(name).info()),
      replayParkedMessagesToAll: name => answer('replayParkedMessagesToAll', () => group(name).replay()),
      dispose: () => answer('dispose', () => undefined),
    };
    return client;
  }

  /** A repetition of an append under way is dropped, and answered after its time. */
  private async replicate({ stream, expected, events }: AppendRequest): Promise<bigint> {
    const key = [stream, expected, ...events.map(({ id }) => id)].join();
    if (this.underWay.has(key)) {
      await wait(COMMIT_TIMEOUT_MS / this.haste);
      throw clientError(ErrorType.DEADLINE_EXCEEDED, 'Timeout');
    }
    this.underWay.add(key);
    try {
      const revision = this.log.append(stream, events, expected);
      await nextTurn();
      return revision;
    } finally {
      this.underWay.delete(key);
    }
  }
}

function noPosition(): Error {
  return clientError(ErrorType.UNKNOWN, '2 UNKNOWN: Unexpected ReadAllResult: Error', 2);
}

type FakeRead = Readable & { cancel(): Promise<void> };

/** A reader that takes the first of them alone costs no more than these. */
function read(entries: readonly Entry[]): FakeRead {
  return Object.assign(Readable.from(resolvedInTurn(entries)), { cancel: () => Promise.resolve() });
}

/** The links of parked messages; their data is no JSON. */
function readLinks(entries: readonly Entry[]): FakeRead {
  const links = entries.map(({ revision, stream }) => ({
    event: { type: '$>', isJson: false, data: Buffer.from(`${revision}@${stream}`) },
  }));
  return Object.assign(Readable.from(links), { cancel: () => Promise.resolve() });
}

function* resolvedInTurn(entries: readonly Entry[]) {
  for (const entry of entries) yield resolved(entry);
}

function readThatFails(failing: Promise<unknown>): FakeRead {
  const stream = new Readable({ objectMode: true, read: () => undefined });
  failing.catch((error: unknown) => stream.emit('error', error));
  return Object.assign(stream, { cancel: () => Promise.resolve() });
}

/** The error comes as from the client: it is emitted, the stream stays open. */
function failingRead(error: Error): FakeRead {
  const stream = new Readable({ objectMode: true, read: () => undefined });
  setImmediate(() => stream.emit('error', error));
  return Object.assign(stream, { cancel: () => Promise.resolve() });
}
