import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { ProjectionRunner } from '../../../projections/runner/projection-runner';
import { rebuildProjection } from '../../../projections/runner/rebuild';
import { verifyProjection } from '../../../projections/runner/verify';
import { opened, PROJECTIONS, raised, tallies, Tallies } from './tallies';

const folder = mkdtempSync(join(tmpdir(), 'quittance-rebuild-'));
const clock = new SystemClock();
const closing: (() => Promise<void>)[] = [];

function open(role: 'service' | 'tool') {
  const file = EmbeddedFile.open(folder, { role });
  const store = new EmbeddedEventStore(file, clock);
  const documents = new EmbeddedDocuments(file);
  closing.push(async () => {
    await store.close();
    await documents.close();
    file.close();
  });
  return { store, documents };
}

afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true });
});

it('rebuilds beside a running service, whose commands and reads go on, and comes to the same', async () => {
  const service = open('service');
  const tool = open('tool');
  const t = new Tallies(service);
  const runner = new ProjectionRunner({ ...service, clock, log: t.log, projections: PROJECTIONS });
  runner.start();
  closing.push(() => runner.stop());

  let written = 0;
  let isRebuilding = true;
  const writer = async (name: string): Promise<void> => {
    const sums = new Map<string, number>();
    for (let round = 0; isRebuilding || round < 100; round++) {
      const id = `${name}${round % 16}`;
      await t.command(id, ...(round < 16 ? [opened(name)] : []), raised(round));
      sums.set(id, (sums.get(id) ?? 0) + round);
      const read = await t.readModels.get(tallies, 'test', id);
      expect(read?.body.sum).toBe(sums.get(id));
      written++;
    }
  };
  const writing = Promise.all(['x', 'y', 'z'].map(writer));
  for (let round = 0; round < 5; round++) {
    for (const projection of PROJECTIONS) await rebuildProjection({ ...tool, clock, projection });
  }
  isRebuilding = false;
  await writing;
  expect(written).toBeGreaterThanOrEqual(300);

  for (const projection of PROJECTIONS) {
    const { equal, difference, documents } = await verifyProjection({ ...tool, clock, projection });
    expect({ name: projection.name, equal, difference }).toStrictEqual({
      name: projection.name,
      equal: true,
      difference: null,
    });
    expect(documents).toBeGreaterThanOrEqual(10);
  }
  expect(t.log.lines.filter(({ level }) => level === 'error')).toStrictEqual([]);
}, 60_000);
