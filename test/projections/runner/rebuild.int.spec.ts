import { setImmediate as nextTurn } from 'node:timers/promises';
import { comparePositions, type LogPosition } from '../../../src/kernel/log-position';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { EventStore } from '../../../src/kernel/ports/event-store';
import type { Projection } from '../../../src/kernel/projection';
import { BuildUnderWay } from '../../../projections/runner/build-lock';
import { PoisonEvent } from '../../../projections/runner/poison-event';
import type { BuildProgress } from '../../../projections/runner/projection-build';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import type { ProjectionRunner } from '../../../projections/runner/projection-runner';
import { documentsAsOf, rebuildProjection } from '../../../projections/runner/rebuild';
import { verifyProjection, type Verification } from '../../../projections/runner/verify';
import { books, closed, opened, openTallies, PROJECTIONS, raised, tallies, Tallies } from './tallies';
import { allDocuments, oneByOne, watched } from './watched-store';

let t: Tallies;
beforeEach(() => (t = new Tallies()));
afterEach(() => t.stopAll());

async function fill(streams: number, raises: number): Promise<void> {
  for (let stream = 0; stream < streams; stream++) {
    const events = Array.from({ length: raises }, (_, index) => raised(index));
    await t.append(`s${stream}`, opened('ada'), ...events);
    if (stream % 3 === 0) await t.append(`s${stream}`, closed);
  }
}

describe('rebuilding', () => {
  it('gives what following gave, for every projection', async () => {
    await fill(30, 5);
    await t.caughtUp(t.runner());
    await t.stopAll();
    for (const projection of PROJECTIONS) {
      const followed = await allDocuments(t.documents, projection);
      await (await t.documents.open(collectionSpec(projection))).put({ id: 'left over', version: 1, body: {} });
      const rebuilt = await rebuildProjection({ ...t.parts, projection });
      expect(rebuilt.position).toBe(await t.store.lastPosition());
      expect(await allDocuments(t.documents, projection)).toStrictEqual(followed);
      expect(followed.length).toBeGreaterThan(5);
    }
  });

  it('reports how far it came', async () => {
    await fill(3, 5);
    const positions: LogPosition[] = [];
    const last = await t.store.lastPosition();
    const store = watched(t.store, () => undefined, oneByOne);
    const onProgress = ({ position, head }: BuildProgress) => {
      expect(head).toBe(last);
      positions.push(position);
    };
    await rebuildProjection({ ...t.parts, store, projection: tallies, onProgress });
    expect(positions.at(0)).toBe((await t.store.readStream('test.tally-s0'))[0]?.position);
    expect(positions.at(-1)).toBe(last);
    expect(positions).toStrictEqual([...positions].sort(comparePositions));
  });

  it('goes on from the switch with what came during it, though the runner was ahead', async () => {
    await t.command('a', opened('ada'), raised(1));
    const runner = t.runner();
    await t.caughtUp(runner);
    for (const projection of [tallies, books] as readonly Projection[]) {
      // The runner takes these into the old collection after the build has seen its last event; they go down with it.
      const store = atLastLook(async () => {
        await t.command('a', raised(10));
        await t.append(projection.name, opened('bob'), raised(5));
        await t.caughtUp(runner);
      });
      await rebuildProjection({ ...t.parts, store, projection });
    }
    await t.append('a', raised(100));
    const head = await t.store.lastPosition();
    await t.clock.passUntil('the runner has gone on', async () =>
      (await runner.status()).every(({ position, state }) => position === head && state === 'live'),
    );
    expect(await documentsOf('tallies')).toStrictEqual([
      { id: 'a', version: 4, body: { owner: 'ada', sum: 121, raises: 4 } },
      { id: 'books', version: 1, body: { owner: 'bob', sum: 5, raises: 1 } },
      { id: 'tallies', version: 1, body: { owner: 'bob', sum: 5, raises: 1 } },
    ]);
    expect((await documentsOf('books')).map(({ body }) => body.raises)).toStrictEqual([4, 2]);
  });

  it('equals what following gives while writers and the runner are at work', async () => {
    await fill(20, 3);
    const runner = t.runner();
    let isRebuilding = true;
    const writer = async (name: string): Promise<void> => {
      for (let round = 0; isRebuilding || round < 20; round++) {
        await t.command(`${name}${round % 7}`, ...(round < 7 ? [opened(name)] : []), raised(round));
        await nextTurn();
      }
    };
    const writing = Promise.all(['x', 'y', 'z'].map(writer));
    let batches = 0;
    const store = watched(
      t.store,
      async () => {
        if (++batches % 10 === 0) await nextTurn();
      },
      oneByOne,
    );
    for (let round = 0; round < 3; round++) {
      await Promise.all(PROJECTIONS.map(projection => rebuildProjection({ ...t.parts, store, projection })));
    }
    isRebuilding = false;
    await writing;
    const head = await t.store.lastPosition();
    await t.clock.passUntil('the runner has the head', async () =>
      (await runner.status()).every(({ position, state }) => position === head && state === 'live'),
    );
    for (const projection of PROJECTIONS) {
      const { equal, difference } = await verified(projection);
      expect({ equal, difference }).toStrictEqual({ equal: true, difference: null });
    }
  });

  it('leaves the live documents as they were when it is killed half-way, and starts anew afterwards', async () => {
    await fill(10, 5);
    await t.caughtUp(t.runner());
    await t.stopAll();
    const before = await allDocuments(t.documents, tallies);
    for (let kill = 1; kill <= 5; kill++) {
      let batches = 0;
      await new Promise<void>(killed => {
        const hang = (): Promise<void> => (batches++ < kill * 7 ? Promise.resolve() : new Promise(() => killed()));
        void rebuildProjection({ ...t.parts, store: watched(t.store, hang, oneByOne), projection: tallies });
      });
      expect(await allDocuments(t.documents, tallies)).toStrictEqual(before);
      await expect(rebuildProjection({ ...t.parts, projection: tallies })).rejects.toThrow(BuildUnderWay);
      t.clock.step(5_000);
    }
    await rebuildProjection({ ...t.parts, projection: tallies });
    expect(await allDocuments(t.documents, tallies)).toStrictEqual(before);
    expect((await verifyProjection({ ...t.parts, projection: tallies })).equal).toBe(true);
  });

  it('drops what it has built when it is stopped, and can be begun again at once', async () => {
    await fill(10, 5);
    const stop = new AbortController();
    let batches = 0;
    const store = watched(t.store, () => void (++batches === 7 && stop.abort()), oneByOne);
    await expect(rebuildProjection({ ...t.parts, store, projection: tallies, signal: stop.signal })).rejects.toThrow(
      'abort',
    );
    await expect(t.documents.switch('tallies__building', 'elsewhere')).rejects.toThrow('no collection named');
    expect((await rebuildProjection({ ...t.parts, projection: tallies })).events).toBe(60);
  });

  it('keeps the old documents when the log holds an event that it cannot take', async () => {
    await t.append('a', opened('ada'), raised(1));
    await t.caughtUp(t.runner());
    await t.stopAll();
    const broken = { ...tallies, on: { ...tallies.on, TallyRaised: () => JSON.parse('{') as null } };
    await expect(rebuildProjection({ ...t.parts, projection: broken })).rejects.toThrow(PoisonEvent);
    expect(await documentsOf('tallies')).toHaveLength(1);
  });

  it('sets a stopped projection going again', async () => {
    await t.append('a', opened('ada'), raised(1));
    let isBroken = true;
    const on: (typeof tallies)['on'] = {
      ...tallies.on,
      TallyOpened: (...args) => {
        if (isBroken) throw new Error('not now');
        return tallies.on.TallyOpened?.(...args) ?? null;
      },
    };
    const runner = t.runner([{ ...tallies, on }]);
    await t.clock.passUntil('it has stopped', () => runner.failed.length === 1);
    isBroken = false;
    await rebuildProjection({ ...t.parts, projection: tallies });
    await t.clock.passUntil('it goes on', () => runner.failed.length === 0);
    await t.append('a', raised(2));
    await t.clock.passUntil('it has caught up', () => hasAll(runner));
    expect((await documentsOf('tallies'))[0]).toMatchObject({ version: 2, body: { sum: 3 } });
  });

  it('is taken for dead in the middle of a switch, and the runner goes on from the safe position', async () => {
    await t.append('a', opened('ada'), raised(1));
    const runner = t.runner([tallies]);
    await t.caughtUp(runner, [tallies]);
    await new Promise<void>(killed => {
      const documents = beforeSwitch(() => new Promise(() => killed()));
      void rebuildProjection({ ...t.parts, documents, projection: tallies });
    });
    await t.append('a', raised(2));
    await t.clock.passUntil('it has caught up', () => hasAll(runner));
    expect((await documentsOf('tallies'))[0]).toMatchObject({ version: 2, body: { sum: 3 } });
  });
});

describe('verifying', () => {
  beforeEach(async () => {
    await fill(10, 5);
    await t.caughtUp(t.runner());
  });

  it('finds equal what the runner wrote, with equal hashes', async () => {
    const verification = await verified(tallies);
    expect(verification).toMatchObject({ projection: 'tallies', equal: true, documents: 10, difference: null });
    expect(verification.sha256Live).toBe(verification.sha256Rebuilt);
    expect(verification.sha256Live).toMatch(/^[0-9a-f]{64}$/);
  });

  it('names a document that was tampered with', async () => {
    const live = await t.documents.open(tallies);
    await live.put({ id: 's4', version: 5, body: { owner: 'ada', sum: 11, raises: 5 } });
    const verification = await verified(tallies);
    expect(verification.equal).toBe(false);
    expect(verification.sha256Live).not.toBe(verification.sha256Rebuilt);
    expect(verification.difference).toStrictEqual({ id: 's4', kind: 'changed', liveVersion: 5, rebuiltVersion: 5 });
  });

  it('names a document whose version was raised, so that the runner would pass it by', async () => {
    await (
      await t.documents.open(books)
    ).put({ id: 'book-4', version: 9_999, body: { raises: 5, last: 'test.tally-s4' } });
    const { difference } = await verifyProjection({ ...t.parts, projection: books });
    expect(difference).toStrictEqual({
      id: 'book-4',
      kind: 'changed',
      liveVersion: 9_999,
      rebuiltVersion: expect.any(Number),
    });
  });

  it.each([
    ['missing', 's5', async () => (await t.documents.open(tallies)).deleteUpTo('s5', Infinity)],
    ['surplus', 's55', async () => (await t.documents.open(tallies)).put({ id: 's55', version: 1, body: {} })],
  ])('names a %s document', async (kind, id, tamper) => {
    await tamper();
    expect(await verified(tallies)).toMatchObject({ equal: false, difference: { id, kind } });
  });

  it('finds equal what moves while it looks', async () => {
    let rounds = 0;
    const store = watched(
      t.store,
      () => t.command('s1', raised(++rounds)),
      batch => [batch],
    );
    const verification = await verified(books, store);
    expect(rounds).toBeGreaterThan(0);
    expect(verification).toMatchObject({ equal: true, difference: null });
  });

  it('leaves nothing behind and the live documents alone', async () => {
    const before = await documentsOf('tallies');
    await verifyProjection({ ...t.parts, projection: tallies });
    expect(await documentsOf('tallies')).toStrictEqual(before);
    await expect(t.documents.switch('tallies__verifying', 'elsewhere')).rejects.toThrow('no collection named');
  });
});

describe('as of a moment', () => {
  it('gives the documents as they were, and drops them afterwards', async () => {
    await t.append('a', opened('ada'), raised(1));
    const moment = t.clock.now();
    t.clock.step(1_000);
    await t.append('a', raised(2));
    await t.append('b', opened('bob'));
    const found = [];
    for await (const document of documentsAsOf({ ...t.parts, projection: tallies }, moment)) found.push(document);
    expect(found).toStrictEqual([{ id: 'a', version: 1, body: { owner: 'ada', sum: 1, raises: 1 } }]);
    await expect(t.documents.switch('tallies__as_of', 'elsewhere')).rejects.toThrow('no collection named');
  });
});

/** Lets the time pass in which the verification looks again at moving documents. */
async function verified(projection: Projection, store = t.store): Promise<Verification> {
  let verification: Verification | null = null;
  const verifying = verifyProjection({ ...t.parts, store, projection }).then(result => (verification = result));
  await t.clock.passUntil(`${projection.name} is verified`, () => verification !== null);
  return verifying;
}

async function hasAll(runner: ProjectionRunner): Promise<boolean> {
  const head = await t.store.lastPosition();
  return (await runner.status()).every(({ position }) => position === head);
}

async function documentsOf(name: string) {
  const projection = [tallies, books, openTallies].find(value => value.name === name);
  return allDocuments(t.documents, projection ?? tallies);
}

/** The store of the test; something happens right after the build has seen that it has everything. */
function atLastLook(comesAbout: () => Promise<unknown>): EventStore {
  let looks = 0;
  const lastPosition = async (): Promise<LogPosition> => {
    const position = await t.store.lastPosition();
    if (++looks === 2) await comesAbout();
    return position;
  };
  return Object.assign(Object.create(t.store) as EventStore, { lastPosition });
}

/** The documents of the test; something happens just before a switch. */
function beforeSwitch(comesAbout: () => Promise<unknown>): Documents {
  return {
    open: spec => t.documents.open(spec),
    drop: name => t.documents.drop(name),
    close: () => t.documents.close(),
    switch: async (building, live) => {
      await comesAbout();
      await t.documents.switch(building, live);
    },
  };
}
