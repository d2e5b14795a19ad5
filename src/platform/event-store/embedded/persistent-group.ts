import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import type { RecordedEvent } from '../../../kernel/event';
import type { LogPosition } from '../../../kernel/log-position';
import {
  StoreUnavailable,
  WAITING_MESSAGES_LIMIT,
  type EventFilter,
  type GroupMessage,
  type GroupStatus,
} from '../../../kernel/ports/event-store';
import { judge, type Fate } from '../handler-failure';
import { pauseAfter } from '../message-pauses';
import { OutageGate } from '../outage-gate';
import { Turns } from '../turns';
import { Bell } from './bell';
import { PAGE_POSITIONS, type EventLog } from './event-log';
import { rowAfter } from './event-row';
import type { GroupTable, StoredGroup, Trouble } from './group-table';

/** Messages handled in between may be handled again after a crash. */
const SAVE_EVERY_MS = 200;
const UNREADABLE_WAIT_MS = 1_000;

/** A message to be tried again; `holds` counts the outages that it met in a row, which a restart may forget. */
type Waiting = { readonly failures: number; readonly holds: number };

/**
 * One persistent group while it is consumed. The group hands messages to its workers, and keeps the checkpoint below
 * every message that is neither acknowledged nor stored as failing. The checkpoint and the failing messages are stored
 * with a delay, so a crash repeats messages and never skips one.
 */
export class PersistentGroup {
  private readonly bell = new Bell();
  private readonly gate: OutageGate;
  private readonly ended = new AbortController();
  /** Messages that are fetched and not handled yet, in log order. */
  private readonly unfinished = new Set<LogPosition>();
  private fetched: RecordedEvent[] = [];
  /**
   * Failing messages to be tried again. The lists below are in log order: messages that the gate held, and messages
   * whose pause is over.
   */
  private readonly troubles = new Map<LogPosition, Waiting>();
  private readonly held: LogPosition[] = [];
  private readonly due: LogPosition[] = [];
  private readonly turns = new Turns();
  private readonly unsaved = new Map<LogPosition, Trouble | null>();
  private readonly storedTroubles: ReadonlySet<LogPosition>;
  private filter: EventFilter;
  private position: LogPosition;
  private savedCheckpoint: LogPosition;
  private mayHaveMore = true;
  private mayHaveReplayed = true;
  private savingSoon = false;
  private lastSave: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    stored: StoredGroup,
    private readonly table: GroupTable,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly entropy: Entropy,
  ) {
    this.gate = new OutageGate(clock, entropy, () => this.bell.ringOne());
    this.filter = stored.filter;
    this.position = stored.checkpoint;
    this.savedCheckpoint = stored.checkpoint;
    // Every message that waits for its next try listens.
    setMaxListeners(2 * WAITING_MESSAGES_LIMIT, this.ended.signal);
    this.storedTroubles = new Set(table.troubledAfter(name, stored.checkpoint));
  }

  /**
   * The next message; null once `signal` aborts. A change wakes one waiter, which wakes the next one where more
   * messages are ready. Most changes bring one message, and a hundred may wait.
   */
  async take(signal: AbortSignal): Promise<GroupMessage | null> {
    while (!signal.aborted) {
      const { rung } = this.bell;
      try {
        const message = this.next();
        if (message) {
          if (this.hasMore()) this.bell.ringOne();
          return message;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await this.clock.wait(UNREADABLE_WAIT_MS, signal);
        continue;
      }
      if (this.canFetch()) await nextTurn();
      else await this.bell.next(rung, signal);
    }
    // This waiter may have been woken for a message, which another waiter takes now.
    this.bell.ringOne();
    return null;
  }

  /** The handler takes the next message by itself, so no other waiter is woken. */
  acknowledge(position: LogPosition): void {
    this.unfinished.delete(position);
    if (this.troubles.get(position)?.holds) this.gate.ended();
    if (this.troubles.delete(position)) this.unsaved.set(position, null);
    this.saveSoon();
  }

  /**
   * Lets the message be tried again later, or parks it, and answers which. Its handler takes the next message by
   * itself.
   */
  fail({ event: { position }, retries }: GroupMessage, error: unknown): Fate {
    const failure = judge(error, retries);
    const { fate, failures, outage } = failure;
    const held = this.troubles.get(position)?.holds ?? 0;
    if (outage === 'engine') this.gate.close(this.ended.signal);
    else if (held > 0) this.gate.ended();
    this.unfinished.delete(position);
    this.unsaved.set(position, { failures, parked: fate === 'parked' });
    const holds = outage === null ? 0 : held + 1;
    if (fate === 'parked') this.troubles.delete(position);
    else this.tryAgain(position, { failures, holds }, pauseAfter(failure, holds, this.entropy));
    this.saveSoon();
    return fate;
  }

  /** Tells the group that the log has grown. */
  wake(): void {
    this.mayHaveMore = true;
    this.bell.ringOne();
  }

  /** Another process wrote. That process may have appended, or let parked messages be tried again. */
  wakeForeign(): void {
    this.mayHaveReplayed = true;
    this.wake();
  }

  /** Messages that are fetched and not begun are fetched anew, by the new filter. */
  changeFilter(filter: EventFilter): void {
    this.filter = filter;
    const [first] = this.fetched;
    if (first) this.position = rowAfter(first.position, -1);
    for (const { position } of this.fetched) this.unfinished.delete(position);
    this.fetched = [];
    this.wake();
  }

  async replayParked(): Promise<number> {
    await this.save();
    const count = await this.table.replayParked(this.name);
    this.wakeForeign();
    return count;
  }

  async status(): Promise<GroupStatus> {
    await this.save();
    return this.table.status(this.name);
  }

  /** Stops the messages that wait for a later try; the stored facts tell how to continue. */
  end(): void {
    this.ended.abort();
  }

  /** Writes the checkpoint and the failed messages, as they are once the saves before are done. */
  save(): Promise<void> {
    const saved = this.lastSave.then(() => this.saveNow());
    this.lastSave = saved.catch(() => undefined);
    return saved;
  }

  private async saveNow(): Promise<void> {
    const [first] = this.unfinished;
    const checkpoint = first === undefined ? this.position : rowAfter(first, -1);
    if (this.unsaved.size === 0 && checkpoint === this.savedCheckpoint) return;
    const written = new Map(this.unsaved);
    await this.table.save(this.name, checkpoint, written);
    this.savedCheckpoint = checkpoint;
    for (const [position, trouble] of written) {
      if (this.unsaved.get(position) === trouble) this.unsaved.delete(position);
    }
  }

  private saveSoon(): void {
    if (this.savingSoon || this.ended.signal.aborted) return;
    this.savingSoon = true;
    const later = this.clock.wait(SAVE_EVERY_MS, this.ended.signal).then(() => {
      this.savingSoon = false;
      return this.save();
    });
    // An unsaved checkpoint costs repeated messages, never lost ones; the disk may have room again by the next time.
    later.catch(() => this.saveSoon());
  }

  private next(): GroupMessage | null {
    if (!this.gate.isOpen) return null;
    if (this.mayHaveReplayed) this.adoptReplayed();
    if (this.held.length > 0) return this.retry(this.held);
    if (this.fetched.length === 0 && this.canFetch()) this.fetch();
    const turn = this.turns.next(this.fetched.length > 0, this.due.length > 0);
    if (turn === 'again') return this.retry(this.due);
    const event = this.fetched.shift();
    return event ? { event, retries: 0 } : null;
  }

  private retry(line: LogPosition[]): GroupMessage | null {
    const [position] = line;
    if (position === undefined) return null;
    const event = this.log.readAt(position);
    line.shift();
    return { event, retries: this.troubles.get(position)?.failures ?? 0 };
  }

  private hasMore(): boolean {
    if (!this.gate.isOpen) return false;
    return this.held.length > 0 || this.due.length > 0 || this.fetched.length > 0 || this.canFetch();
  }

  private canFetch(): boolean {
    return this.gate.isOpen && this.mayHaveMore && this.troubles.size < WAITING_MESSAGES_LIMIT;
  }

  private fetch(): void {
    const page = this.log.readPage(this.filter, this.position);
    this.fetched = page.events.filter(({ position }) => !this.storedTroubles.has(position));
    for (const { position } of this.fetched) this.unfinished.add(position);
    this.position = page.position;
    this.mayHaveMore = !page.live;
    // Far-off events of other categories move the checkpoint too, or a restart would look through all of them again.
    if (this.position >= rowAfter(this.savedCheckpoint, PAGE_POSITIONS)) this.saveSoon();
  }

  private adoptReplayed(): void {
    for (const { position, failures } of this.table.retrying(this.name)) {
      if (this.troubles.has(position) || this.unsaved.has(position)) continue;
      this.troubles.set(position, { failures, holds: 0 });
      insert(this.due, position);
    }
    this.mayHaveReplayed = false;
  }

  private tryAgain(position: LogPosition, waiting: Waiting, delayMs: number): void {
    this.troubles.set(position, waiting);
    if (delayMs === 0) {
      insert(this.held, position);
      return;
    }
    void this.clock.wait(delayMs, this.ended.signal).then(() => {
      if (this.ended.signal.aborted) return;
      insert(this.due, position);
      this.bell.ringOne();
    });
  }
}

/** Keeps the log's order. */
function insert(line: LogPosition[], position: LogPosition): void {
  const before = line.findLastIndex(other => other < position);
  line.splice(before + 1, 0, position);
}
