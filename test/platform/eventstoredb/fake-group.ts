import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Filter, PersistentSubscriptionToAllSettings, ResolvedEvent } from '@eventstore/db-client';
import type { GroupInfo } from '../../../src/platform/event-store/eventstoredb/event-store-client';
import { isGiven, resolved, type Entry, type FakeLog } from './fake-log';

type Message = { readonly key: string; readonly entry: Entry; readonly retryCount: number; readonly parked: boolean };

/** A persistent subscription on the server. */
export class FakeGroup {
  readonly consumers: FakeConsumer[] = [];
  readonly parked: Entry[] = [];
  readonly retrying: Message[] = [];
  private next = 0;
  private lastGiven: Entry | null = null;
  private turn = 0;

  constructor(
    private readonly log: FakeLog,
    public settings: PersistentSubscriptionToAllSettings,
    private readonly filter: Filter,
  ) {
    if (settings.startFrom !== 'start') this.next = log.entries.length;
    log.listen(() => setImmediate(() => this.push()));
  }

  info(): GroupInfo {
    const outstanding = this.consumers.reduce((sum, consumer) => sum + consumer.inFlight.size, 0);
    const position = this.lastGiven && { commit: BigInt(this.lastGiven.start), prepare: BigInt(this.lastGiven.start) };
    const stats = {
      totalInFlightMessages: outstanding,
      outstandingMessagesCount: outstanding,
      retryBufferCount: this.retrying.length,
      readBufferCount: 0,
      liveBufferCount: 0n,
      parkedMessageCount: BigInt(this.parked.length),
      lastKnownEventPosition: position ?? undefined,
      lastCheckpointedEventPosition: undefined,
    };
    return { settings: this.settings, stats } as unknown as GroupInfo;
  }

  replay(): void {
    for (const entry of this.parked.splice(0)) {
      this.retrying.push({ key: randomUUID(), entry, retryCount: 0, parked: true });
    }
    this.push();
  }

  retry(message: Message): void {
    if (message.retryCount >= this.settings.maxRetryCount) this.parked.push(message.entry);
    else this.retrying.push({ ...message, retryCount: message.retryCount + 1 });
    this.push();
  }

  /** Round robin, as long as any consumer has room. */
  push(): void {
    for (;;) {
      const consumer = this.consumers
        .map((_, index) => this.consumers[(this.turn + index) % this.consumers.length] as FakeConsumer)
        .find(one => one.inFlight.size < one.bufferSize);
      const message = consumer && this.take();
      if (!consumer || !message) return;
      this.turn = this.consumers.indexOf(consumer) + 1;
      consumer.give(message);
    }
  }

  private take(): Message | null {
    const retried = this.retrying.shift();
    if (retried) return retried;
    for (let entry = this.log.entries[this.next]; entry; entry = this.log.entries[this.next]) {
      this.next++;
      if (!isGiven(entry, this.filter)) continue;
      this.lastGiven = entry;
      return { key: entry.id, entry, retryCount: 0, parked: false };
    }
    return null;
  }
}

/** The client's stream of one consumer. */
export class FakeConsumer extends PassThrough {
  readonly inFlight = new Map<string, Message>();
  readonly acknowledged: string[] = [];
  readonly refused: { readonly action: string; readonly reason: string }[] = [];

  constructor(
    private readonly group: FakeGroup,
    readonly bufferSize: number,
  ) {
    super({ objectMode: true, highWaterMark: bufferSize });
    group.consumers.push(this);
    setImmediate(() => group.push());
  }

  give(message: Message): void {
    this.inFlight.set(message.key, message);
    const given = { ...resolved(message.entry), retryCount: message.retryCount };
    // A parked message is a link to its event, and the event is given the link's position.
    if (!message.parked) this.write(given);
    else this.write({ ...given, link: { id: message.key }, event: { ...given.event, position: linkPosition } });
  }

  ack(...events: ResolvedEvent[]): Promise<void> {
    for (const { link, event } of events) {
      const key = (link ?? event)?.id ?? '';
      if (this.inFlight.delete(key)) this.acknowledged.push(key);
    }
    this.group.push();
    return Promise.resolve();
  }

  nack(action: string, reason: string, ...events: ResolvedEvent[]): Promise<void> {
    for (const { link, event } of events) {
      const message = this.inFlight.get((link ?? event)?.id ?? '');
      if (!message) continue;
      this.inFlight.delete(message.key);
      this.refused.push({ action, reason });
      if (action === 'park') this.group.parked.push(message.entry);
      else this.group.retry(message);
    }
    this.group.push();
    return Promise.resolve();
  }

  unsubscribe(): Promise<void> {
    this.leave();
    return Promise.resolve();
  }

  letGo(error?: Error): void {
    this.leave();
    if (error) this.emit('error', error);
    else this.end();
  }

  /** Messages that the consumer holds go back, and later answers have no effect. */
  private leave(): void {
    const { consumers } = this.group;
    if (consumers.includes(this)) consumers.splice(consumers.indexOf(this), 1);
    const given = [...this.inFlight.values()];
    this.inFlight.clear();
    for (const message of given) this.group.retry(message);
  }
}

const linkPosition = { commit: 18446744073709551615n, prepare: 18446744073709551615n };
