import type { Mode } from '../../vocabulary/modes';
import type { NetworkAlarm } from '../../vocabulary/network-alarm';
import type { NetworkId } from '../../vocabulary/networks';

/** A part without which the service cannot work; `check` rejects while the part is away. */
export type ReadinessCheck = { readonly name: string; check(): Promise<void> };

/** Shown in public, so nothing else is named. */
export type AlarmedNetwork = { readonly mode: Mode; readonly network: NetworkId; readonly alarm: NetworkAlarm };

/** The error of a check where the process still serves, and somebody should look. */
export class Degraded extends Error {
  constructor(
    message: string,
    readonly alarms: readonly AlarmedNetwork[] = [],
  ) {
    super(message);
  }
}
