import { MirrorsUnderWay } from '../../../projections/runner/mirrors-under-way';
import { ProjectionRunner } from '../../../projections/runner/projection-runner';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { mirrorWriter } from '../../../projections/runner/read-models';
import type { Documents } from '../../../src/kernel/ports/documents';
import { books, opened, PROJECTIONS, raised, tallies, Tallies } from './tallies';

let t: Tallies;
let mirrors: MirrorsUnderWay;
let runner: ProjectionRunner | null;

beforeEach(() => {
  t = new Tallies();
  mirrors = new MirrorsUnderWay();
  runner = null;
});
afterEach(async () => {
  await runner?.stop();
});

/** Documents that count the writes of mirrors by the runner. */
function counting(written: string[]): Documents {
  return {
    ...t.documents,
    open: async spec => {
      const collection = await t.documents.open<never>(spec);
      const putAllNewer: typeof collection.putAllNewer = documents => {
        written.push(...documents.map(({ id }) => `${spec.name}/${id}`));
        return collection.putAllNewer(documents);
      };
      return Object.assign(Object.create(collection) as typeof collection, { putAllNewer });
    },
    switch: (building, live) => t.documents.switch(building, live),
    drop: name => t.documents.drop(name),
    close: () => t.documents.close(),
  };
}

function run(documents = t.documents): ProjectionRunner {
  runner = new ProjectionRunner({ ...t.parts, documents, mirrors, projections: PROJECTIONS });
  runner.start();
  return runner;
}

it('leaves a mirror to the command that is writing it, and holds up no other projection', async () => {
  const written: string[] = [];
  const running = run(counting(written));
  await t.caughtUp(running);
  const write = mirrorWriter(t.documents, PROJECTIONS, t.log, mirrors);
  let goOn = (): void => undefined;
  const held = new Promise<void>(resolve => (goOn = resolve));
  const commanded = mirrors.during(held);
  await t.write('a', [opened('ada'), raised(2)], write);
  await t.caughtUp(running, [books]);
  goOn();
  await commanded;
  await t.caughtUp(running, [tallies]);
  expect(written).toEqual(expect.arrayContaining(['books/book-a']));
  expect(written).not.toContain('tallies/a');
  expect(await (await t.documents.open(collectionSpec(tallies))).get('a')).toMatchObject({ body: { sum: 2 } });
});

it('lets the runner write a mirror that its command has failed to write', async () => {
  const failed = mirrors.during(Promise.reject(new Error('away')));
  await t.append('a', opened('ada'));
  const running = run();
  await expect(failed).rejects.toThrow('away');
  await t.caughtUp(running);
  expect(await (await t.documents.open(collectionSpec(tallies))).get('a')).toMatchObject({ body: { owner: 'ada' } });
});
