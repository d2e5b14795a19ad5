import { isoTime, MINUTE_MS } from '../../src/kernel/clock';
import { streamName } from '../../src/kernel/event';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import type { Collection } from '../../src/kernel/ports/documents';
import { SystemCommands } from '../../src/kernel/system-commands';
import { WritePath } from '../../src/kernel/write-path';
import { coverageStreamId } from '../../src/modules/coverage/coverage.decider';
import {
  COVERAGE_COLLECTION,
  coverageId,
  CoverageRecord,
  type CoverageDocument,
  type Cursor,
} from '../../src/watchers/coverage-record';
import { ManualClock } from '../support/manual-clock';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { CountingEntropy, RecordingLog } from '../support/payment-fixture';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const ID = coverageId('live', 'base');

const block = (number: number, hash = `0x${number}`): BlockHeader => {
  return { number, hash, parentHash: `0x${number - 1}`, timeMs: NOON + number * 1_000 };
};
const headerAt = (number: number): Promise<BlockHeader> => Promise.resolve(block(number, `0xnew${number}`));

describe('the record of coverage', () => {
  let clock: ManualClock;
  let store: MemoryEventStore;
  let documents: Collection<CoverageDocument>;
  let log: RecordingLog;
  let record: CoverageRecord;

  function another(): CoverageRecord {
    const writes = new WritePath(store, clock, () => Promise.resolve());
    return new CoverageRecord({
      mode: 'live',
      network: 'base',
      instance: '8453',
      providers: ['one.example'],
      documents,
      commands: new SystemCommands(writes, clock, new CountingEntropy()),
      setAside: { ownHoles: () => Promise.resolve([]), restore: () => Promise.resolve() },
      clock,
      log,
    });
  }

  const cursorOf = (of: CoverageRecord): Promise<Cursor> => of.cursor(() => Promise.resolve(block(100)));
  const stored = async (): Promise<CoverageDocument> => (await documents.get(ID))?.body as CoverageDocument;
  const versionOf = async () => (await documents.get(ID))?.version;
  const events = async () =>
    (await store.readStream(streamName('live', 'coverage', coverageStreamId('base', '8453', 0)))).map(
      ({ type, data }) => [
        type,
        (data as { from_number: number }).from_number,
        (data as { to_number: number }).to_number,
      ],
    );
  const advance = (to: number, of = record): Promise<void> =>
    of.advance({ agreed: block(to), scanned: block(to + 10), head: block(to + 10), headerAt });

  beforeEach(async () => {
    clock = new ManualClock(NOON);
    store = new MemoryEventStore();
    documents = await new MemoryDocuments().open<CoverageDocument>(COVERAGE_COLLECTION);
    log = new RecordingLog();
    record = another();
    await cursorOf(record);
  });

  it('is used only once its cursor was read', async () => {
    await expect(another().note(block(110), block(110))).rejects.toThrow('before its cursor was read');
  });

  it('seals after a thousand blocks or ten minutes, not before', async () => {
    await advance(1_099);
    expect(await events()).toStrictEqual([]);
    await advance(1_100);
    expect(await events()).toStrictEqual([['CoverageSealed', 101, 1_100]]);
    clock.timeMs += 10 * MINUTE_MS - 1;
    await advance(1_101);
    expect(await events()).toHaveLength(1);
    clock.timeMs += 1;
    await advance(1_102);
    expect((await events()).at(-1)).toStrictEqual(['CoverageSealed', 1_101, 1_102]);
    expect(await stored()).toMatchObject({ number: 1_102, sealed_to: 1_102, sealed_hash: '0x1102' });
  });

  it('never runs back, and seals nothing where nothing more is agreed on', async () => {
    await advance(150);
    clock.timeMs += 11 * MINUTE_MS;
    for (const to of [150, 140]) await advance(to);
    expect(await events()).toStrictEqual([]);
    expect(await stored()).toMatchObject({ number: 150, hash: '0x150', sealed_to: 100, head_number: 150 });
  });

  it('notes how far the open end was scanned, and when that was seen, only where it is news', async () => {
    const seen = (number: number, seenAtMs?: number) => record.note(block(number), block(number), seenAtMs);
    await seen(110, NOON + 1);
    expect(await stored()).toMatchObject({
      head_number: 110,
      covered_until: isoTime(block(110).timeMs),
      head_seen_at: isoTime(NOON + 1),
    });
    const version = await versionOf();
    await seen(110, NOON + 2);
    expect([await versionOf(), (await stored()).head_seen_at]).toStrictEqual([version, isoTime(NOON + 1)]);
    await seen(111);
    expect(await stored()).toMatchObject({ head_number: 111, head_seen_at: isoTime(NOON + 1) });
    await record.note(block(111), block(112), NOON + 3);
    expect(await stored()).toMatchObject({ head_number: 112, head_seen_at: isoTime(NOON + 3) });
    await record.note(block(112), block(112), NOON + 4);
    expect(await stored()).toMatchObject({
      covered_until: isoTime(block(112).timeMs),
      head_seen_at: isoTime(NOON + 4),
    });
    await record.advance({ agreed: block(112), scanned: block(112), head: block(112), headerAt, seenAtMs: NOON + 5 });
    expect(await stored()).toMatchObject({ number: 112, head_seen_at: isoTime(NOON + 4) });
    expect(record.coveredUntil).toBe(block(112).timeMs);
  });

  it('says when its head was first told, also while the scan has not come to it', async () => {
    clock.timeMs = NOON + 7;
    await record.note(block(110), block(500));
    clock.timeMs = NOON + 9;
    await record.note(block(120), block(500));
    expect(await stored()).toMatchObject({ head_number: 500, head_told_at: isoTime(NOON + 7) });
  });

  it('records which sealed blocks were replaced, and only takes the new hash of those that were not sealed', async () => {
    await advance(1_100);
    await advance(1_150);
    await record.replaced(1_100, headerAt);
    expect(await events()).toHaveLength(1);
    expect(await stored()).toMatchObject({ number: 1_150, hash: '0xnew1150', sealed_to: 1_100, sealed_hash: '0x1100' });
    await record.replaced(1_099, headerAt);
    expect((await events()).at(-1)).toStrictEqual(['CoverageReplaced', 1_100, 1_100]);
    expect(await stored()).toMatchObject({ number: 1_150, sealed_hash: '0xnew1100' });
  });

  it('is moved by one watcher alone: another one that wakes up is refused, and reads anew', async () => {
    const sleeper = another();
    await cursorOf(sleeper);
    await advance(150);
    await expect(advance(140, sleeper)).rejects.toThrow('another watcher has advanced the coverage');
    expect((await cursorOf(sleeper)).number).toBe(150);
    await advance(160, sleeper);
    expect((await stored()).number).toBe(160);
  });

  it.each([
    ['goes on from a cursor beyond what somebody sealed and could not write down', 1_100, 1_150, 1_150],
    ['goes on from what is sealed where the cursor is before it', 1_100, 1_050, 1_100],
    ['and where the cursor is just there', 1_100, 1_100, 1_100],
  ])('%s', async (_name, sealedTo, number, expected) => {
    const before = await stored();
    await advance(sealedTo);
    const version = ((await versionOf()) ?? 0) + 1;
    await documents.put({ id: ID, version, body: { ...before, number, hash: `0x${number}` } });
    expect(await cursorOf(another())).toMatchObject({ number: expected, hash: `0x${expected}` });
    expect(await stored()).toMatchObject({ number: expected, sealed_to: sealedTo, sealed_hash: `0x${sealedTo}` });
    expect(log.lines).toStrictEqual([]);
  });
});
