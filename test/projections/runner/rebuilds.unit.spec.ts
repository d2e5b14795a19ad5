import { setImmediate } from 'node:timers/promises';
import { Rebuilds } from '../../../projections/runner/rebuilds';
import { BuildLock } from '../../../projections/runner/build-lock';
import { buildingName } from '../../../projections/runner/projection-build';
import { opened, PROJECTIONS, raised, tallies, Tallies } from './tallies';
import { allDocuments, watched } from './watched-store';

let t: Tallies;
let rebuilds: Rebuilds;

beforeEach(() => {
  t = new Tallies();
  rebuilds = new Rebuilds({ ...t.parts, projections: PROJECTIONS });
});

afterEach(() => rebuilds.stop());

it('build a read model, which is under way until its documents are there', async () => {
  await t.append('a', opened('ada'), raised(3));
  expect(await rebuilds.standing(tallies.name)).toBe('at_rest');
  rebuilds.start(tallies.name);
  expect(await rebuilds.standing(tallies.name)).toBe('under_way');
  while ((await rebuilds.standing(tallies.name)) === 'under_way');
  expect((await allDocuments(t.documents, tallies)).map(({ body }) => body)).toEqual([
    { owner: 'ada', sum: 3, raises: 1 },
  ]);
});

it('begin one build where two requests come at once, and a stop awaits it', async () => {
  await t.append('a', opened('ada'));
  let goOn = (): void => undefined;
  const held = new Promise<void>(resolve => (goOn = resolve));
  rebuilds = new Rebuilds({ ...t.parts, store: watched(t.store, () => held), projections: PROJECTIONS });
  rebuilds.start(tallies.name);
  rebuilds.start(tallies.name);
  await setImmediate();
  expect(t.log.lines).toEqual([]);
  const onStop = jest.fn();
  const stopped = rebuilds.stop().then(onStop);
  await setImmediate();
  expect(onStop).not.toHaveBeenCalled();
  goOn();
  await stopped;
  expect(await rebuilds.standing(tallies.name)).toBe('at_rest');
});

it('see the build of another process', async () => {
  const lock = await BuildLock.take(t.documents, t.clock, buildingName(tallies));
  expect(await rebuilds.standing(tallies.name)).toBe('under_way');
  await lock.release();
  expect(await rebuilds.standing(tallies.name)).toBe('at_rest');
});

it('know no other read models', async () => {
  expect(await rebuilds.standing('nothing')).toBeNull();
});
