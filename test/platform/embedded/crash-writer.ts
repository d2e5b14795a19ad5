import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { HurriedClock, newEvents } from '../../contracts/contract-support';

const WRITERS = 16;

const STDOUT = 1;

/**
 * Each line tells an answer, and ends in a full stop, so that half a line is known for one. A line is with the reader
 * before the writer goes on. A line that waited in a stream for a slow reader would die with the process.
 */
function say(...words: readonly (string | number)[]): void {
  writeSync(STDOUT, `${words.join(' ')}.\n`);
}

/** Writes and handles for ever: the test kills it. */
async function main(folder: string): Promise<void> {
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const store = new EmbeddedEventStore(file, new HurriedClock());
  const collection = await new EmbeddedDocuments(file).open({
    name: 'written',
    indexes: { by_index: ['index', 'id'] },
  });
  await store.ensureGroup('handled', { categories: ['crash'] });
  const never = new AbortController().signal;
  const consuming = store.consume(
    'handled',
    ({ event }) => {
      say('handled', event.id);
      return Promise.resolve();
    },
    { concurrency: 4, signal: never },
  );
  const writing = Array.from({ length: WRITERS }, async () => {
    const stream = `test.crash-${randomUUID()}`;
    for (let revision = -1; ;) {
      const events = newEvents(1 + (revision % 3 === 0 ? 1 : 0));
      const answer = await store.append(stream, revision < 0 ? 'no_stream' : revision, events);
      for (const { id } of events) say('appended', stream, ++revision, id);
      if (answer.revision !== revision) throw new Error(`${stream} is at ${answer.revision}, not at ${revision}`);
      const document = { id: stream, version: revision, body: { index: revision } };
      if (await collection.putNewer(document)) say('put', stream, revision);
    }
  });
  await Promise.all([consuming, ...writing]);
}

void main(process.argv[2] as string);
