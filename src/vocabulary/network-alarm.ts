/**
 * The reasons why somebody should look at a network, the gravest first. `gaps`: blocks were never scanned.
 * `set_aside_full`: so much waits that scanning stands still. `behind`: the newest covered block is too old.
 * `clock`: the service's clock is far from the newest block's time. `unplaced`: a transfer that no payment waited for
 * has waited too long for its place. `set_aside`: something waits.
 */
export const NETWORK_ALARMS = ['gaps', 'set_aside_full', 'behind', 'clock', 'unplaced', 'set_aside'] as const;
export type NetworkAlarm = (typeof NETWORK_ALARMS)[number];

/** `scannedUntilMs` is a moment of the wall's clock; null where nobody watches the network. */
export type NetworkStanding = { readonly scannedUntilMs: number | null; readonly alarm: NetworkAlarm | null };
