export type Mode = 'test' | 'live';
/**
 * `platform` is for what stands above the modes: merchants, users, admins. `live` and `test` never read one another.
 */
export type Universe = Mode | 'platform';
export const UNIVERSES = ['test', 'live', 'platform'] as const satisfies readonly Universe[];
