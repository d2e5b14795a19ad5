import type { LogPosition } from '../log-position';

/**
 * How far read models follow the log. A list does not contain the events that it has not taken yet. A reader therefore
 * takes the log's head once its question has arisen. The reader goes by the list only when the list holds all events up
 * to that head.
 */
export interface IndexProgress {
  /** The log's last position at this moment. */
  head(): Promise<LogPosition>;
  /** Whether the read model's documents hold every event up to the position. */
  holds(readModel: { readonly name: string; readonly version: number }, position: LogPosition): Promise<boolean>;
}
