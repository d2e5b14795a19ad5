import { once } from 'node:events';
import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ErrorType, type Filter, type Position, type SubscribeToAllOptions } from '@eventstore/db-client';
import type { StreamLimits } from '../../../src/platform/event-store/eventstoredb/event-store-client';
import { clientError, isGiven, resolved, type Entry, type FakeLog } from './fake-log';

type Response = { event: Entry } | { checkpoint: Position } | 'caughtUp' | 'fellBehind';

/**
 * The client's own subscription stream, fed by a server that catches up, checkpoints and goes live as EventStoreDB
 * 23.10 does.
 */
export class FakeSubscription extends Transform {
  /** Events that the server has sent, whether they were taken or not. */
  sent = 0;
  private isOver = false;
  readonly chosen: Filter;

  constructor(
    private readonly log: FakeLog,
    { filter, fromPosition }: SubscribeToAllOptions,
    limits: StreamLimits,
  ) {
    super({ ...limits, objectMode: true });
    if (!filter) throw new Error('an unfiltered subscription would give the events of others');
    this.chosen = filter;
    const from = typeof fromPosition === 'object' ? fromPosition : { commit: -1n, prepare: -1n };
    if (log.end >= from.commit && from.commit > 0n && !log.isPosition(from.commit)) this.refuse();
    else void this.serve(from);
  }

  override _transform(response: Response, _encoding: string, next: TransformCallback): void {
    if (typeof response === 'string') this.emit(response);
    else if ('event' in response) return next(null, resolved(response.event));
    else void this.chosen.checkpointReached?.(this as never, response.checkpoint);
    next();
  }

  unsubscribe(): Promise<void> {
    this.isOver = true;
    return Promise.resolve();
  }

  /** The server lets go of it: in silence, or with an error that does not end the stream. */
  letGo(error?: Error): void {
    this.isOver = true;
    if (error) this.emit('error', error);
    else this.end();
  }

  /** The server goes on holding it, and tells nothing more. */
  fallSilent(): void {
    this.isOver = true;
  }

  async fallBehind(): Promise<void> {
    await this.send('fellBehind');
  }

  private refuse(): void {
    this.isOver = true;
    const error = clientError(ErrorType.UNKNOWN, '2 UNKNOWN: Exception was thrown by handler.', 2);
    setImmediate(() => this.emit('error', error));
  }

  /**
   * No checkpoint is told of the page that ends at the log's end. The checkpoint of any other page is the last event
   * given, or else the place where the page began.
   */
  private async serve({ commit, prepare }: Position): Promise<void> {
    await nextTurn();
    const window = this.chosen.maxSearchWindow ?? 32;
    let next = this.log.entries.findIndex(
      ({ start }) => BigInt(start) > commit || (BigInt(start) === commit && BigInt(start) > prepare),
    );
    if (next < 0) next = this.log.entries.length;
    // Between two events: the next one begins at this very number.
    let pageStart: Position = {
      commit: commit < 0n ? 0n : BigInt(this.log.entries[next]?.start ?? commit),
      prepare: 0n,
    };
    while (!this.isOver) {
      const page = this.log.entries.slice(next, next + window);
      const given = page.filter(entry => isGiven(entry, this.chosen));
      for (const entry of given) await this.send({ event: entry });
      next += page.length;
      if (page.length < window) break;
      const lastGiven = given.at(-1);
      const checkpoint = lastGiven && { commit: BigInt(lastGiven.start), prepare: BigInt(lastGiven.start) };
      await this.send({ checkpoint: checkpoint ?? pageStart });
      pageStart = { commit: BigInt((page.at(-1) as Entry).end), prepare: 0n };
    }
    await this.send('caughtUp');
    let considered = 0;
    while (!this.isOver) {
      const entry = this.log.entries[next];
      if (!entry) {
        await this.appended();
        continue;
      }
      next++;
      if (isGiven(entry, this.chosen)) await this.send({ event: entry });
      if (++considered % window === 0) {
        await this.send({ checkpoint: { commit: BigInt(entry.start), prepare: BigInt(entry.start) } });
      }
    }
  }

  private async send(response: Response): Promise<void> {
    if (this.isOver) return;
    if (typeof response === 'object' && 'event' in response) this.sent++;
    if (!this.write(response)) await Promise.race([once(this, 'drain'), once(this, 'close')]);
    await nextTurn();
  }

  private appended(): Promise<void> {
    return new Promise(resolve => {
      const go = (): void => {
        stop();
        this.off('close', go);
        resolve();
      };
      const stop = this.log.listen(go);
      this.once('close', go);
    });
  }
}
