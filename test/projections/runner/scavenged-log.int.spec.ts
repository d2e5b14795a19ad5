import { setImmediate as nextTurn } from 'node:timers/promises';
import { Checkpoints } from '../../../projections/runner/checkpoints';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { eventually, HurriedClock } from '../../contracts/contract-support';
import { FakeServer } from '../../platform/eventstoredb/fake-server';
import { MemoryDocuments } from '../../support/memory-documents';
import { opened, raised, tallies, Tallies } from './tallies';
import { watched } from './watched-store';

/** Events before the server's own one, in its batch, and after it: few more than are taken again after a restart. */
const [BEFORE, AFTER] = [70, 1_040];
/** Within so many turns the server has sent all of its events. */
const TURNS = 500;

let server: FakeServer;
let store: EventStoreDbStore;
let t: Tallies;

beforeEach(() => {
  server = new FakeServer();
  store = new EventStoreDbStore(server.connect, new HurriedClock(10));
  t = new Tallies({ store, documents: new MemoryDocuments() });
});
afterEach(async () => {
  await t.stopAll();
  await store.close();
});

const raises = (count: number) => Array.from({ length: count }, () => raised(1));

it('a checkpoint names events of ours alone, since a scavenge removes the server’s own', async () => {
  await t.append('a', opened('ada'));
  let taken = START_OF_LOG;
  let isHeld = false;
  const slowly = watched(store, async ({ events, position }) => {
    taken = position;
    if (isHeld || events[0]?.revision !== 1) return;
    isHeld = true;
    // Events that are appended while this waits come as one batch.
    await t.append('a', ...raises(BEFORE));
    server.log.appendSystemEvent();
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  });
  const runner = t.runner([tallies], { store: slowly });
  await t.caughtUp(runner, [tallies]);
  // The projection's own, and the feed's two: the second one follows live.
  await eventually(() => server.subscriptions.length === 3);
  await t.append('a', raised(1));
  const systemEvent = () => server.log.entries.findLast(({ stream }) => stream.startsWith('$'));
  await eventually(() => isHeld && Number(taken) === systemEvent()?.start);
  server.log.scavenge();

  await t.append('b', opened('bob'), ...raises(AFTER));
  await t.caughtUp(runner, [tallies]);
  await runner.stop();
  const checkpoints = await Checkpoints.open(t.documents, t.clock);
  const standing = (await checkpoints.load(tallies.name))?.body;
  const ours = (await store.readStream('test.tally-a')).map(({ position }) => position);
  expect(standing?.position).toBe(await store.lastPosition());
  expect(ours).toContain(standing?.restart_from);
});
