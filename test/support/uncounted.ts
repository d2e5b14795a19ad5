import type { VelocityCounts } from '../../src/modules/controls/velocity-counts';

/** Counts of payments where nobody has set a limit. */
export const UNCOUNTED: Pick<VelocityCounts, 'counting'> = { counting: (_limit, _subject, _counted, work) => work() };
