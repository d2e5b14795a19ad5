import type { LogPosition } from '../log-position';

/**
 * How far read models follow the log. A list says nothing of what it lacks, unless it holds all that the log held once
 * the question had arisen: its reader takes the log's head first, and goes by the list when it holds that.
 */
export interface IndexProgress {
  /** The log's last position, as it is now. */
  head(): Promise<LogPosition>;
  /** Whether the projection's documents hold every event up to the position. */
  holds(projection: { readonly name: string; readonly version: number }, position: LogPosition): Promise<boolean>;
}
