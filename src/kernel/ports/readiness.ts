import type { Mode } from '../event';
import type { NetworkAlarm } from '../network-alarm';
import type { NetworkId } from '../tokens';

/** Something without which the service cannot work; `check` rejects while it is away. */
export type ReadinessCheck = { readonly name: string; check(): Promise<void> };

/** Told in public, so it names nothing else. */
export type AlarmedNetwork = { readonly mode: Mode; readonly network: NetworkId; readonly alarm: NetworkAlarm };

/** What a check rejects with where the process still serves, and somebody should look. */
export class Degraded extends Error {
  constructor(
    message: string,
    readonly alarms: readonly AlarmedNetwork[] = [],
  ) {
    super(message);
  }
}
