import { violations } from './checkers/violations';
import { traceHash, wholeLog } from './history';
import { withPassingSignals } from './joined-signals';
import { Prng } from './prng';
import { World } from './world';

/** The actions of a seed's life. */
export const ACTIONS = 106;

export type Run = { readonly hash: string; readonly found: readonly string[]; readonly types: ReadonlySet<string> };

/** One seed's whole life: the same seed gives the same events, to the last hash, in as many turns. */
export function runSeed(seed: number, actions = ACTIONS): Promise<Run> {
  return withPassingSignals(() => wholeLife(seed, actions));
}

async function wholeLife(seed: number, actions: number): Promise<Run> {
  const world = new World(new Prng(seed), seed);
  await world.begin();
  for (let action = 0; action < actions; action++) await world.act();
  await world.heal();
  const events = await wholeLog(world.outside.disk.log);
  return {
    hash: `${traceHash(events)} in ${world.scheduler.taken} turns`,
    found: await violations(world, events),
    types: new Set(events.map(({ type }) => type)),
  };
}
