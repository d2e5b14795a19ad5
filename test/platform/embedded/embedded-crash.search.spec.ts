import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { eventually, HurriedClock } from '../../contracts/contract-support';
import { searchSize } from '../../levels/search-size';
import { runChild } from './child-process';

const ROUNDS = searchSize('CRASHES', { small: 2, full: 5 });
const LINES_BEFORE_KILL = 2_000;

jest.setTimeout(120_000);

describe('a service that is killed while it writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-crash-'));
  const said: string[][] = [];
  let file: EmbeddedFile;
  let store: EmbeddedEventStore;

  beforeAll(async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const child = runChild('crash-writer.ts', [folder]);
      await child.printed(LINES_BEFORE_KILL + 37 * round);
      await child.kill();
      said.push(...child.lines.map(line => line.split(' ')));
    }
    file = EmbeddedFile.open(folder, { role: 'service' });
    store = new EmbeddedEventStore(file, new HurriedClock());
  });

  afterAll(async () => {
    await store.close();
    file.close();
    rmSync(folder, { recursive: true });
  });

  const appended = (): string[][] => said.filter(([what]) => what === 'appended');

  it('has lost no event that it had acknowledged, nor moved one', async () => {
    expect(appended().length).toBeGreaterThan(ROUNDS * 100);
    const streams = new Set(appended().map(([, stream]) => stream as string));
    const standing = new Map<string, string>();
    for (const stream of streams) {
      for (const { revision, id } of await store.readStream(stream)) standing.set(`${stream} ${revision}`, id);
    }
    const lost = appended().filter(([, stream, revision, id]) => standing.get(`${stream} ${revision}`) !== id);
    expect(lost).toStrictEqual([]);
  });

  it('has left no gap in any stream', async () => {
    for (const stream of new Set(appended().map(([, stream]) => stream as string))) {
      const revisions = (await store.readStream(stream)).map(event => event.revision);
      expect(revisions).toStrictEqual(revisions.map((_, index) => index));
    }
  });

  it('has lost no document that it had acknowledged', async () => {
    const written = await new EmbeddedDocuments(file).open({ name: 'written', indexes: { by_index: ['index', 'id'] } });
    const puts = said.filter(([what]) => what === 'put');
    expect(puts.length).toBeGreaterThan(ROUNDS * 100);
    const versions = new Map<string, number>();
    for (const [, id] of puts) versions.set(id as string, (await written.get(id as string))?.version ?? -1);
    const lost = puts.filter(([, id, version]) => (versions.get(id as string) ?? -1) < Number(version));
    expect(lost).toStrictEqual([]);
  });

  it('has each event handled at least once in the end', async () => {
    const handled = new Set(said.filter(([what]) => what === 'handled').map(([, id]) => id));
    expect(handled.size).toBeGreaterThan(0);
    const stop = new AbortController();
    const handler = ({ event }: { event: { id: string } }): Promise<void> => {
      handled.add(event.id);
      return Promise.resolve();
    };
    const consuming = store.consume('handled', handler, { concurrency: 4, signal: stop.signal });
    const unhandled = (): number => appended().filter(([, , , id]) => !handled.has(id)).length;
    await eventually(() => unhandled() === 0);
    stop.abort();
    await consuming;
    expect((await store.groupStatus('handled')).parked).toBe(0);
  });

  it('leaves a file that is whole', () => {
    expect(file.statement('pragma integrity_check').all()).toStrictEqual([['ok']]);
    expect(file.statement('pragma foreign_key_check').all()).toStrictEqual([]);
  });
});
