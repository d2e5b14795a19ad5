import { END, type Position } from '@eventstore/db-client';
import { START_OF_LOG } from '../../../kernel/ports/event-store';
import { safeInteger } from './event-codec';
import { isOurs } from './event-filter';
import type { GuardedClient } from './guarded-client';

/** The server's own events at the log's end that are looked through for one of ours; a server writes some thousands a day. */
const SCAN_LIMIT = 10_000_000;

export function isAfter(a: Position, b: Position | null): boolean {
  return b === null || a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
}

/**
 * The position of the last event at or before a checkpoint. A checkpoint between two events is said as (start of the next, 0): the event
 * before it ends there. Null when there is none.
 */
export async function lastEventUpTo(guarded: GuardedClient, { commit, prepare }: Position): Promise<number | null> {
  if (commit === prepare) return safeInteger(commit, 'checkpoint');
  let position: number | null = null;
  await guarded.readBackwards({ commit, prepare: commit }, 1, ({ event }) => {
    position = safeInteger(event?.position?.commit, 'position');
    return true;
  });
  return position;
}

/** Finds the last event of ours, and remembers how far it looked, so that the server's own events are looked through once. */
export class LogHead {
  private scannedTo = START_OF_LOG;
  private ours = START_OF_LOG;

  constructor(private readonly guarded: GuardedClient) {}

  async position(): Promise<number> {
    const known = this.scannedTo;
    let newest = known;
    let found = this.ours;
    await this.guarded.readBackwards(END, SCAN_LIMIT, ({ event }) => {
      const position = safeInteger(event?.position?.commit, 'position');
      newest = Math.max(newest, position);
      if (position <= known) return true;
      if (!event || !isOurs(event.streamId)) return false;
      found = position;
      return true;
    });
    // Calls may overlap: what another found meanwhile may be newer.
    this.scannedTo = Math.max(this.scannedTo, newest);
    this.ours = Math.max(this.ours, found);
    return this.ours;
  }
}
