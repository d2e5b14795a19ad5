import { Degraded, type ReadinessCheck } from '../kernel/ports/readiness';
import type { WatcherTurn } from './watcher-turn';

/**
 * Whether each network is read in time and whole. A process that watches nothing judges by the coverage that the
 * watching processes share.
 */
export function coverageReadiness(
  watchers: readonly Pick<WatcherTurn, 'mode' | 'network' | 'alarmNow'>[],
): ReadinessCheck {
  return {
    name: 'coverage',
    check: async () => {
      const judged = await Promise.all(
        watchers.map(async turn => ({ mode: turn.mode, network: turn.network, alarm: await turn.alarmNow() })),
      );
      const alarms = judged.flatMap(({ mode, network, alarm }) => (alarm === null ? [] : [{ mode, network, alarm }]));
      if (alarms.length === 0) return;
      throw new Degraded(alarms.map(({ mode, network, alarm }) => `${mode} ${network}: ${alarm}`).join(', '), alarms);
    },
  };
}
