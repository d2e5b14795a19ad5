import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** So long that a clean-up of memory does not meet all the tries. */
const TRY_AGAIN_MS = 50;

/** The most CPU time in milliseconds that one turn of the event loop takes while `work` is under way. */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  const watching = (async () => {
    for (let last = cpuMs(); !isOver;) {
      await nextTurn();
      const now = cpuMs();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }
  })();
  await work().finally(() => (isOver = true));
  await watching;
  return longestMs;
}

/**
 * The shortest of the longest holds of `tries` runs, of which the first under `limitMs` is the last. Other threads
 * clean up memory meanwhile, and their CPU time counts. So a busy machine holds up one run or another, and work in one
 * piece holds up each.
 */
export async function shortestHold(limitMs: number, tries: number, work: (run: number) => Promise<unknown>) {
  let shortestMs = Infinity;
  for (let run = 0; run < tries && shortestMs >= limitMs; run++) {
    if (run > 0) await delay(TRY_AGAIN_MS);
    shortestMs = Math.min(shortestMs, await longestHold(() => work(run)));
  }
  return shortestMs;
}

/** The CPU time in milliseconds that this process has taken. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
