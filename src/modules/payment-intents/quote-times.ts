import { DAY_MS, MINUTE_MS } from '../../kernel/clock';
import { graceWindow, timeToLive } from '../../vocabulary/durations';

/** The time for which a quote's price stands. */
export const QUOTE_TTL_MS = timeToLive(15 * MINUTE_MS);

/** The time for which a payment is still watched after its quote's expiry, and for which a remainder is reserved. */
export const MONITORING_WINDOW_MS = graceWindow(DAY_MS);

/** The time for which a quote's amount stays reserved: its payment takes late money as long. */
export const RESERVED_MS = QUOTE_TTL_MS + MONITORING_WINDOW_MS;
