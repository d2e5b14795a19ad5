import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store';
import { HurriedClock } from './contract-support';
import { eventStoreContract } from './event-store.contract';

const folder = mkdtempSync(join(tmpdir(), 'quittance-event-store-'));

eventStoreContract('embedded', () => {
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const store = new EmbeddedEventStore(file, new HurriedClock());
  const close = async (): Promise<void> => {
    await store.close();
    file.close();
  };
  return Promise.resolve({ store, close });
});

afterAll(() => rmSync(folder, { recursive: true }));
