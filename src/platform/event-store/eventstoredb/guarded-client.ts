import {
  BACKWARDS,
  END,
  ErrorType,
  FORWARDS,
  NO_STREAM,
  START,
  type Direction,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Clock } from '../../../kernel/clock';
import {
  OutcomeUnknown,
  StoreUnavailable,
  WrongExpectedRevision,
  type ExpectedRevision,
} from '../../../kernel/ports/event-store';
import { asStoreError, describe, isErrorType, isRefused } from './client-errors';
import { ConnectionSlot } from './connection-slot';
import { DeadlineExceeded, within } from './deadline';
import { safeInteger, type EncodedEvent } from './event-codec';
import type { AppendRequest, Connect, EventRead, EventStoreClient } from './event-store-client';

/** The server's own time-out for a write is 2 s; this deadline holds when the server never answers. */
const APPEND_DEADLINE_MS = 10_000;
/** Closing waits so long for the answers to appends; the outcomes of the others are then unknown. */
const CLOSING_LIMIT_MS = 3_000;
const CALL_DEADLINE_MS = 10_000;
/** The longest read that is allowed takes some seconds on a busy machine. */
const READ_DEADLINE_MS = 30_000;

type StreamReadOptions = Required<Pick<ReadStreamOptions, 'direction' | 'fromRevision' | 'maxCount'>>;
type ReadAllFrom = Position | typeof START | typeof END;

/**
 * The only place that calls `@eventstore/db-client`. Its version 6.2.1 leaves calls unanswered, reports one call's
 * failure to another, and ends streams in silence. Here every call has a deadline, every failure is the port's, and
 * every stream is cancelled when it is left. Appends have a connection of their own.
 */
export class GuardedClient {
  private readonly writer: ConnectionSlot;
  private readonly reader: ConnectionSlot;
  private readonly appending = new Set<Promise<bigint>>();
  private isClosing = false;
  private sent = 0;
  /** The newest append that the server has answered. */
  private lastAnswered = 0;

  constructor(
    connect: Connect,
    readonly clock: Clock,
  ) {
    this.writer = new ConnectionSlot(connect, clock);
    this.reader = new ConnectionSlot(connect, clock);
  }

  /** Throws StoreUnavailable unless both connections answer. */
  async check(): Promise<void> {
    await Promise.all([this.writer.ready(), this.reader.ready()]);
  }

  /** Answers the revision of the last event. */
  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<number> {
    // A failure before this line was surely not sent.
    const client = await this.writer.ready();
    if (this.isClosing) throw new StoreUnavailable('the connection is being closed');
    const request = { number: ++this.sent, stream, expected, events };
    try {
      const appended = this.noted(client.append(request));
      const revision = await within(this.clock, APPEND_DEADLINE_MS, `append to ${stream}`, appended);
      this.noteAnswer(request);
      return safeInteger(revision, `${stream}: revision`);
    } catch (error) {
      throw this.appendError(client, request, error);
    }
  }

  /** Null when there is no such stream. */
  async readStream(stream: string, options: StreamReadOptions): Promise<readonly ResolvedEvent[] | null> {
    const events: ResolvedEvent[] = [];
    try {
      await this.read(
        `read of ${stream}`,
        client => client.readStream(stream, options),
        event => events.push(event) < 0,
      );
    } catch (error) {
      if (isErrorType(error, ErrorType.STREAM_NOT_FOUND)) return null;
      throw asStoreError(`read of ${stream}`, error);
    }
    return events;
  }

  /**
   * Reads the whole log until `isEnough` is true or `maxCount` events were given. Forwards begins at a position,
   * backwards before it.
   */
  async readAll(
    direction: Direction,
    from: ReadAllFrom,
    maxCount: number,
    isEnough: (event: ResolvedEvent) => boolean,
  ): Promise<void> {
    const options: ReadAllOptions = { direction, fromPosition: from, maxCount };
    try {
      await this.read('read of $all', client => client.readAll(options), isEnough);
    } catch (error) {
      throw asStoreError('read of $all', error);
    }
  }

  /** A call with one answer, or with an error that the caller handles. */
  async call<T>(what: string, work: (client: EventStoreClient) => Promise<T>): Promise<T> {
    const connection = await this.reader.ready();
    try {
      return await within(this.clock, CALL_DEADLINE_MS, what, work(connection));
    } catch (error) {
      this.reader.distrust(connection);
      throw error;
    }
  }

  /** A connection for subscriptions; `dropped` must be called when a subscription by it ends. */
  async subscriber(): Promise<{ readonly client: EventStoreClient; dropped(): void }> {
    const connection = await this.reader.ready();
    return { client: connection, dropped: () => this.reader.distrust(connection) };
  }

  /** Waits for the answers to appends under way, and takes no further appends. */
  async close(): Promise<void> {
    this.isClosing = true;
    const answered = Promise.allSettled(this.appending);
    await within(this.clock, CLOSING_LIMIT_MS, 'appends under way', answered).catch(() => undefined);
    await Promise.all([this.writer.close(), this.reader.close()]);
  }

  private noted(append: Promise<bigint>): Promise<bigint> {
    const forget = (): void => void this.appending.delete(append);
    this.appending.add(append);
    append.then(forget, forget);
    return append;
  }

  private appendError(client: EventStoreClient, request: AppendRequest, error: unknown): Error {
    const { number, stream, expected } = request;
    if (error instanceof StoreUnavailable) {
      this.writer.distrust(client);
      return error;
    }
    if (isErrorType(error, ErrorType.WRONG_EXPECTED_VERSION)) {
      this.noteAnswer(request);
      const { actualVersion } = error as { actualVersion: bigint | 'no_stream' };
      const actual = actualVersion === NO_STREAM ? NO_STREAM : safeInteger(actualVersion, `${stream}: revision`);
      return new WrongExpectedRevision(stream, expected, actual);
    }
    if (isRefused(error)) return new Error(`${stream}: the append was refused: ${describe(error)}`, { cause: error });
    if (error instanceof DeadlineExceeded) client.forgetAppend(number);
    // An answer to a later append shows that the call is alive, and its other appends are left alone.
    if (error instanceof DeadlineExceeded && this.lastAnswered < number) this.writer.replace(client);
    else this.writer.distrust(client);
    return new OutcomeUnknown(`${stream}: it is not known whether the append was written: ${describe(error)}`, {
      cause: error,
    });
  }

  private noteAnswer({ number }: AppendRequest): void {
    this.lastAnswered = Math.max(this.lastAnswered, number);
  }

  private async read(
    what: string,
    open: (client: EventStoreClient) => EventRead,
    isEnough: (event: ResolvedEvent) => boolean,
  ): Promise<void> {
    const connection = await this.reader.ready();
    const stream = open(connection);
    // An error after the last event was taken would end the process.
    stream.on('error', () => undefined);
    let isOver = false;
    try {
      isOver = await within(this.clock, READ_DEADLINE_MS, what, takeAll(stream, isEnough));
    } catch (error) {
      if (!isErrorType(error, ErrorType.STREAM_NOT_FOUND)) this.reader.distrust(connection);
      throw error;
    } finally {
      // Leaving the loop before its end leaves the call open.
      if (!isOver) {
        stream.cancel().catch(() => undefined);
        stream.destroy();
      }
    }
  }
}

/** False where the stream was left before its end. */
async function takeAll(stream: EventRead, isEnough: (event: ResolvedEvent) => boolean): Promise<boolean> {
  for await (const event of stream) {
    if (isEnough(event as ResolvedEvent)) return false;
  }
  return true;
}

/** The port's options for reading a stream, as the client's. */
export function streamReadOptions(
  direction: 'forwards' | 'backwards',
  from: number | undefined,
  limit: number,
): StreamReadOptions {
  if (direction === 'forwards') {
    return { direction: FORWARDS, fromRevision: from === undefined ? START : BigInt(from), maxCount: limit };
  }
  return { direction: BACKWARDS, fromRevision: from === undefined ? END : BigInt(from), maxCount: limit };
}
