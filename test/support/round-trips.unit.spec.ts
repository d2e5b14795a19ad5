import { TurnsByKey } from '../../src/kernel/turns-by-key';
import { readTwice, RoundTrips } from './round-trips';

const ID = 'live.wallet-wal_1';

const trips = new RoundTrips();
const log = trips.log({ readStream: () => Promise.resolve([]), append: () => Promise.resolve() } as never);
const clock = trips.waits({ now: () => 0, wait: (_ms: number) => Promise.resolve() }, ['wait']);
const documents = trips.documents({
  open: () => Promise.resolve({ get: () => Promise.resolve(null), getAll: () => Promise.resolve([]), put: () => null }),
} as never);

async function twiceIn(work: () => unknown): Promise<readonly string[]> {
  const heard = trips.listen();
  await work();
  trips.leave(heard);
  return readTwice(heard).map(thing => thing.replace(/ \(by .*/, ''));
}

const read = () => log.readStream(ID);
const open = (name: string) => documents.open({ name } as never);

it('tells of a stream that was read twice', async () => {
  expect(await twiceIn(read)).toEqual([]);
  expect(await twiceIn(() => Promise.all([read(), log.readStream('live.wallet-wal_2')]))).toEqual([]);
  expect(await twiceIn(() => Promise.all([read(), read()]))).toEqual([`readStream wallet ${ID}`]);
});

it('tells of a document, and takes the access documents for one', async () => {
  const [wallets, access] = [await open('wallets'), await open('access')];
  expect(await twiceIn(() => [wallets.get('wal_1'), read()])).toEqual([]);
  expect(await twiceIn(() => [wallets.get('wal_1'), wallets.getAll(['wal_2', 'wal_1'])])).toEqual([
    'get wallets wal_1',
  ]);
  expect(await twiceIn(() => [access.getAll(['a']), access.getAll(['b'])])).toEqual(['access documents']);
});

it('takes what is read after a write of its category, or after a wait, for read anew', async () => {
  expect(await twiceIn(() => [read(), log.append(ID, [] as never, -1 as never), read()])).toEqual([]);
  const other = () => log.append('live.routes-mch_1', [] as never, -1 as never);
  expect(await twiceIn(() => [read(), other(), read()])).toHaveLength(1);
  expect(await twiceIn(() => [read(), clock.wait(1), read()])).toEqual([]);
  expect(await twiceIn(() => [read(), clock.now(), read()])).toHaveLength(1);
});

it('takes a turn behind others for a wait, and a turn at once for none', async () => {
  const lines = new TurnsByKey();
  trips.turns(lines);
  expect(await twiceIn(() => [read(), lines.run('a', read)])).toHaveLength(1);
  await lines.run('a', () => Promise.resolve());
  const behind = () => {
    void lines.run('a', () => Promise.resolve());
    return Promise.all([read(), lines.run('a', read)]);
  };
  expect(await twiceIn(behind)).toEqual([]);
});

it('asks for the progress of read models as the time is', async () => {
  const checkpoints = await open('checkpoints');
  expect(await twiceIn(() => [checkpoints.get('wallets'), checkpoints.get('wallets')])).toEqual([]);
});
