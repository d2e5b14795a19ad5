import { BACKWARDS, END, FORWARDS, START, type Position, type ResolvedEvent } from '@eventstore/db-client';
import { laterPosition, type LogPosition } from '../../../kernel/log-position';
import { START_OF_LOG, type LogMark } from '../../../kernel/ports/event-store';
import { isNoPosition } from './client-errors';
import { logPosition, serverPosition } from './event-codec';
import { isOurs } from './event-filter';
import type { GuardedClient } from './guarded-client';

/**
 * The server's own events at either end of the log that are looked through for one of ours; a server writes some
 * thousands a day.
 */
const SCAN_LIMIT = 10_000_000;

export function isAfter(a: Position, b: Position | null): boolean {
  return b === null || a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
}

/**
 * The position of the last event at or before a checkpoint. A checkpoint between two events has the form (start of the
 * next, 0): the event before it ends there. Null when there is none.
 */
export async function lastPositionUpTo(
  guarded: GuardedClient,
  { commit, prepare }: Position,
): Promise<LogPosition | null> {
  // Before the first page the server names the log's start, where there is no event.
  if (commit === 0n) return null;
  if (commit === prepare) return logPosition(commit, 'checkpoint');
  let position: LogPosition | null = null;
  await guarded.readAll(BACKWARDS, { commit, prepare: commit }, 1, ({ event }) => {
    position = logPosition(event?.position?.commit, 'position');
    return true;
  });
  return position;
}

/**
 * The last event of ours up to a position at which an event begins, ours or not. The server's own events come and go,
 * and ours stay. Null where no event begins there.
 */
export async function lastOwnEventUpTo(guarded: GuardedClient, position: LogPosition): Promise<LogMark | null> {
  if (position === START_OF_LOG) return null;
  const from = serverPosition(position);
  let isEvent = false;
  let found: LogMark | null = null;
  const look = (resolved: ResolvedEvent): boolean => {
    found = ownMark(resolved);
    return found !== null;
  };
  try {
    await guarded.readAll(FORWARDS, from, 1, resolved => {
      isEvent = resolved.event?.position?.commit === from.commit;
      return isEvent ? look(resolved) : true;
    });
  } catch (error) {
    if (!isNoPosition(error)) throw error;
    // The server gives the same answer for some faults of its own. A server that answers another question meant the
    // position.
    await guarded.readAll(BACKWARDS, END, 1, () => true);
    return null;
  }
  if (isEvent && found === null) await guarded.readAll(BACKWARDS, from, SCAN_LIMIT, look);
  return found;
}

export async function firstOwnEventId(guarded: GuardedClient): Promise<string | null> {
  let first: LogMark | null = null as LogMark | null;
  await guarded.readAll(FORWARDS, START, SCAN_LIMIT, resolved => (first = ownMark(resolved)) !== null);
  return first?.id ?? null;
}

function ownMark({ event }: ResolvedEvent): LogMark | null {
  if (!event || !isOurs(event.streamId)) return null;
  return { position: logPosition(event.position?.commit, 'position'), id: event.id };
}

/**
 * Finds the last event of ours, and remembers the end of its search, so that the server's own events are looked through
 * once.
 */
export class LogHead {
  private scannedTo = START_OF_LOG;
  private ours = START_OF_LOG;

  constructor(private readonly guarded: GuardedClient) {}

  async position(): Promise<LogPosition> {
    const known = this.scannedTo;
    let newest = known;
    let found = this.ours;
    await this.guarded.readAll(BACKWARDS, END, SCAN_LIMIT, ({ event }) => {
      const position = logPosition(event?.position?.commit, 'position');
      newest = laterPosition(newest, position);
      if (position <= known) return true;
      if (!event || !isOurs(event.streamId)) return false;
      found = position;
      return true;
    });
    // Calls may overlap: another call may meanwhile have found a newer event.
    this.scannedTo = laterPosition(this.scannedTo, newest);
    this.ours = laterPosition(this.ours, found);
    return this.ours;
  }
}
