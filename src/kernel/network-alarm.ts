/**
 * Why somebody should look at a network, the gravest first. `gaps`: blocks were never scanned. `set_aside_full`: so
 * much waits that scanning stands still. `behind`: the newest covered block is too old. `set_aside`: something waits.
 */
export const NETWORK_ALARMS = ['gaps', 'set_aside_full', 'behind', 'set_aside'] as const;
export type NetworkAlarm = (typeof NETWORK_ALARMS)[number];
