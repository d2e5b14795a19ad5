import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../src/kernel/ports/index-progress';

/** Every list holds all of the log: for tests whose documents follow at once. */
export const COMPLETE_INDEX: IndexProgress = {
  head: () => Promise.resolve(START_OF_LOG),
  holds: () => Promise.resolve(true),
};
