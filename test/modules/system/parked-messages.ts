import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { eventually, HurriedClock } from '../../contracts/contract-support';
import type { ApiStage } from '../../support/api-stage';

/** Another process on the same file, for which time runs faster, fails at each message of the group. */
export async function parkAll({ core }: ApiStage, group: string): Promise<void> {
  const file = EmbeddedFile.open(core.config.dataFolder, { role: 'tool' });
  const store = new EmbeddedEventStore(file, new HurriedClock());
  const stopping = new AbortController();
  const failing = () => Promise.reject(new Error('on purpose'));
  const consuming = store.consume(group, failing, { concurrency: 1, signal: stopping.signal });
  await eventually(async () => (await store.groupStatus(group)).parked > 0);
  stopping.abort();
  await consuming;
  await store.close();
  file.close();
}
