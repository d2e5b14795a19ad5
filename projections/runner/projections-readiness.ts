import { Degraded, type ReadinessCheck } from '../../src/kernel/ports/readiness';

type Runner = { readonly failed: readonly string[] };
type Watch = { readonly stalled: readonly string[] };

/**
 * A projection that has stopped takes nothing more before it is mended. A projection that stands still may go on by
 * itself.
 */
export function projectionsReadiness(runner: Runner, watch: Watch): ReadinessCheck {
  return {
    name: 'projections',
    check: async () => {
      await Promise.resolve();
      if (runner.failed.length > 0) throw new Error(`stopped: ${runner.failed.join(', ')}`);
      if (watch.stalled.length > 0) throw new Degraded(`stalled: ${watch.stalled.join(', ')}`);
    },
  };
}
