import { Prng } from './prng';
import { World } from './world';
import { wholeLog, traceHash } from './history';
import { violations } from './checkers/violations';
it('tries', async () => {
  const from = Number(process.env.FROM ?? 1);
  for (let seed = from; seed < from + Number(process.env.N ?? 10); seed++) {
    const t = Date.now();
    const world = new World(new Prng(seed), seed);
    await world.begin();
    for (let i = 0; i < 100; i++) await world.act();
    await world.heal();
    const log = await wholeLog(world.outside.disk.log);
    const types: Record<string, number> = {};
    for (const { type } of log) types[type] = (types[type] ?? 0) + 1;
    const v = await violations(world, log);
    process.stdout.write(
      `${seed} ${Date.now() - t}ms ${world.scheduler.taken} ${process.env.TYPES ? JSON.stringify(types) : ''} ${traceHash(log).slice(0, 8)} ${v.length} ${v.slice(0, 3).join('\n   ').slice(0, 1500)}\n`,
    );
  }
}, 300000);
