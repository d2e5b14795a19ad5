import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock';
import type { LogPosition } from '../../../kernel/log-position';
import { StoreUnavailable, type EventBatch, type LogFilter } from '../../../kernel/ports/event-store';
import type { Bell } from './bell';
import type { EventLog } from './event-log';

const UNREADABLE_WAIT_MS = 1_000;

/**
 * Pages up to the log's head, the first of them at once even when empty, then all further events. Ends when `signal`
 * aborts.
 */
export async function* catchUp(
  log: EventLog,
  bell: Bell,
  clock: Clock,
  filter: LogFilter,
  after: LogPosition,
  signal: AbortSignal,
): AsyncGenerator<EventBatch, void, undefined> {
  let position = after;
  let isFirst = true;
  while (!signal.aborted) {
    const { rung } = bell;
    let batch: EventBatch;
    try {
      batch = log.readPage(filter, position);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await clock.wait(UNREADABLE_WAIT_MS, signal);
      continue;
    }
    if (isFirst || batch.position > position) yield batch;
    isFirst = false;
    position = batch.position;
    if (batch.live) await bell.next(rung, signal);
    else await nextTurn();
  }
}
