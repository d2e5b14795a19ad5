import { Rebuilds } from '../../../projections/runner/rebuilds';
import { BuildLock } from '../../../projections/runner/build-lock';
import { buildingName } from '../../../projections/runner/projection-build';
import { opened, PROJECTIONS, raised, tallies, Tallies } from './tallies';
import { allDocuments } from './watched-store';

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

it('see the build of another process', async () => {
  const lock = await BuildLock.take(t.documents, t.clock, buildingName(tallies));
  expect(await rebuilds.standing(tallies.name)).toBe('under_way');
  await lock.release();
  expect(await rebuilds.standing(tallies.name)).toBe('at_rest');
});

it('know no other read models', async () => {
  expect(await rebuilds.standing('nothing')).toBeNull();
});
