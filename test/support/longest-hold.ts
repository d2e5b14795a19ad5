import { setImmediate as nextTurn } from 'node:timers/promises';

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

/** The CPU time in milliseconds that this process has taken. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
