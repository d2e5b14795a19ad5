import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { HurriedClock } from '../../contracts/contract-support';
import { eventStoreContract } from '../../contracts/event-store.contract';
import { FakeServer } from './fake-server';

const HASTE = 10;
const server = new FakeServer(HASTE);

eventStoreContract('eventstoredb adapter over a fake server', () => {
  const store = new EventStoreDbStore(server.connect, new HurriedClock(HASTE));
  return Promise.resolve({ store, close: () => store.close() });
});
