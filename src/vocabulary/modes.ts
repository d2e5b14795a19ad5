export type Mode = 'test' | 'live';
/**
 * `platform` is for what stands above the modes: merchants, users, admins. `live` and `test` never read one another.
 */
export type Universe = Mode | 'platform';
export const MODES = ['test', 'live'] as const satisfies readonly Mode[];
export const UNIVERSES = ['test', 'live', 'platform'] as const satisfies readonly Universe[];
