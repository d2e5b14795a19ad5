import { randomUUID } from 'node:crypto';
import { ErrorType, type Filter, type ResolvedEvent } from '@eventstore/db-client';
import type { ExpectedRevision } from '../../../src/kernel/ports/event-store';
import type { EncodedEvent } from '../../../src/platform/event-store/eventstoredb/event-codec';

/** Positions are bytes in the server's file: the next event begins where this one ends. */
export type Entry = {
  readonly start: number;
  readonly end: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string | null;
};

/** The server's log: appends with its idempotency rules, in the order in which they come. */
export class FakeLog {
  readonly entries: Entry[] = [];
  private readonly scavenged = new Set<Entry>();
  private readonly streams = new Map<string, Entry[]>();
  private readonly starts = new Set<bigint>();
  private readonly listeners = new Set<(entry: Entry) => void>();

  constructor() {
    this.appendSystemEvent();
  }

  append(stream: string, events: readonly EncodedEvent[], expected: ExpectedRevision): bigint {
    const standing = this.stream(stream);
    const before = expected === 'no_stream' ? -1 : Number(expected);
    const ids = standing.slice(before + 1, before + 1 + events.length).map(({ id }) => id);
    if (ids.length > 0 && ids.join() === events.map(({ id }) => id).join()) return BigInt(before + events.length);
    if (before !== standing.length - 1) throw wrongVersion(standing.length - 1);
    this.record(stream, events);
    return BigInt(before + events.length);
  }

  /** An event of the server's own. */
  appendSystemEvent(): void {
    this.record('$stats', [{ id: randomUUID(), type: '$stats', data: Buffer.from('{}'), metadata: Buffer.of() }]);
  }

  /** Removes the server's own events: a reader from the place of one gets the event after it. */
  scavenge(): void {
    for (const entry of this.entries) if (entry.stream.startsWith('$')) this.scavenged.add(entry);
  }

  /** All events that reads still find. */
  get kept(): Entry[] {
    return this.entries.filter(entry => !this.scavenged.has(entry));
  }

  stream(name: string): readonly Entry[] {
    return this.streams.get(name) ?? [];
  }

  /** True where an event begins, or the next one will: nothing else is a position. */
  isPosition(commit: bigint): boolean {
    return this.starts.has(commit) || commit === this.end;
  }

  get end(): bigint {
    return BigInt(this.entries.at(-1)?.end ?? 0);
  }

  listen(listener: (entry: Entry) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private record(stream: string, events: readonly EncodedEvent[]): void {
    const standing = this.streams.get(stream) ?? [];
    this.streams.set(stream, standing);
    for (const { id, type, data, metadata } of events) {
      const start = this.entries.at(-1)?.end ?? 0;
      const text = data.toString();
      const entry = {
        start,
        end: start + 40 + text.length,
        stream,
        revision: standing.length,
        id,
        type,
        data: text,
        metadata: metadata.length === 0 ? null : metadata.toString(),
      };
      this.entries.push(entry);
      this.starts.add(BigInt(start));
      standing.push(entry);
      for (const listener of this.listeners) listener(entry);
    }
  }
}

/** Events as they are given, by their entries: a group gives the same one again and again. */
const given = new WeakMap<Entry, ResolvedEvent>();

export function resolved(entry: Entry): ResolvedEvent {
  const known = given.get(entry);
  if (known) return known;
  const position = { commit: BigInt(entry.start), prepare: BigInt(entry.start) };
  const event = {
    streamId: entry.stream,
    id: entry.id,
    isJson: true,
    revision: BigInt(entry.revision),
    type: entry.type,
    created: new Date(0),
    data: JSON.parse(entry.data) as unknown,
    metadata: entry.metadata === null ? undefined : (JSON.parse(entry.metadata) as unknown),
    position,
  };
  const made = { event, commitPosition: position.commit } as ResolvedEvent;
  given.set(entry, made);
  return made;
}

export function isGiven(entry: Entry, filter: Filter): boolean {
  const text = filter.filterOn === 'streamName' ? entry.stream : entry.type;
  if ('regex' in filter) return new RegExp(filter.regex).test(text);
  return filter.prefixes.some(prefix => text.startsWith(prefix));
}

export function clientError(type: ErrorType, message = '', code?: number): Error {
  return Object.assign(new Error(message), { type, ...(code !== undefined && { code }) });
}

function wrongVersion(head: number): Error {
  const actualVersion = head < 0 ? 'no_stream' : BigInt(head);
  return Object.assign(clientError(ErrorType.WRONG_EXPECTED_VERSION), { actualVersion });
}
