import type { LogPosition } from '../../src/kernel/log-position';
import { START_OF_LOG, type EventStore, type LogMark } from '../../src/kernel/ports/event-store';
import type { Coverage } from './checkpoints';

/** Names the events at the positions of a loop, and asks the log no more than once for each. */
export class LogMarks {
  private readonly known = new Map<LogPosition, LogMark>();
  private log: string | null = null;

  constructor(private readonly store: EventStore) {}

  /** Null where the log holds no event at one of the positions any more. */
  async coverage(position: LogPosition, restartFrom: LogPosition): Promise<Coverage | null> {
    this.log ??= await this.store.firstEventId();
    const [reached, restart] = [await this.markOf(position), await this.markOf(restartFrom)];
    this.forgetAllBut(position, restartFrom);
    if ((!reached && position !== START_OF_LOG) || (!restart && restartFrom !== START_OF_LOG)) return null;
    return {
      position: reached?.position ?? START_OF_LOG,
      event_id: reached?.id ?? null,
      restart_from: restart?.position ?? START_OF_LOG,
      log: this.log,
    };
  }

  private async markOf(position: LogPosition): Promise<LogMark | null> {
    if (position === START_OF_LOG) return null;
    const mark = this.known.get(position) ?? (await this.store.lastEventUpTo(position));
    if (mark) this.known.set(position, mark);
    return mark;
  }

  private forgetAllBut(...places: readonly LogPosition[]): void {
    for (const position of this.known.keys()) if (!places.includes(position)) this.known.delete(position);
  }
}
