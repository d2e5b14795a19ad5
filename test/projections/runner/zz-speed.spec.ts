import { mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { SystemClock } from '/work/main/src/platform/clock/system-clock';
import { EmbeddedDocuments } from '/work/main/src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '/work/main/src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '/work/main/src/platform/event-store/embedded/embedded-event-store';
import { ProjectionRunner } from '/work/main/projections/runner/projection-runner';
import { rebuildProjection } from '/work/main/projections/runner/rebuild';
import { verifyProjection } from '/work/main/projections/runner/verify';
import { books, opened, raised, tallies, openTallies } from '/work/main/test/projections/runner/tallies';
import { metadata } from '/work/main/test/contracts/contract-support';
it('speed', async () => {
  const folder = mkdtempSync('/tmp/speed-');
  const clock = new SystemClock();
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const store = new EmbeddedEventStore(file, clock);
  const documents = new EmbeddedDocuments(file);
  const N = Number(process.env.N ?? 20000);
  let t = Date.now();
  const log = (s: string, n: number) => { const d = Date.now() - t; process.stderr.write(`${s}: ${d} ms, ${Math.round(n * 1000 / d)}/s rss ${Math.round(process.memoryUsage().rss/1e6)}\n`); t = Date.now(); };
  for (let i = 0; i < N; i += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, k) => store.append(`test.tally-${i + k}`, 'no_stream', [opened('ada'), raised(1), raised(2), raised(3), raised(4), raised(5)].map(e => ({ ...e, data: {...e.data, x: 'y'.repeat(150)}, id: randomUUID(), metadata: metadata() })))));
  }
  log('append', N * 6);
  const stop = new AbortController(); let n = 0;
  for await (const b of store.subscribe({ types: Object.keys(tallies.on) }, -1, stop.signal)) { n += b.events.length; if (b.live) break; }
  log('raw read', n);
  for (const projection of [tallies, books, openTallies]) {
    const r = await rebuildProjection({ store, documents, clock, projection });
    log(`rebuild ${projection.name}`, r.events);
  }
  const runner = new ProjectionRunner({ store, documents, clock, log: console as never, projections: [tallies] });
  runner.start(); await runner.waitFor('tallies', await store.lastPosition(), 60000); log('resume', 1);
  const v = await verifyProjection({ store, documents, clock, projection: tallies }); log('verify ' + v.equal, N*6);
  await runner.stop();
  const r2 = new ProjectionRunner({ store, documents, clock, log: console as never, projections: [{...tallies, name: 'other'}] });
  t = Date.now(); r2.start(); await r2.waitFor('other', await store.lastPosition(), 60000); log('live catch-up', N*6);
  await r2.stop(); await store.close(); await documents.close(); file.close();
  rmSync(folder, { recursive: true });
}, 600000);
