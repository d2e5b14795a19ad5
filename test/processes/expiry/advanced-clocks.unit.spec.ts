import { collectionSpec } from '../../../projections/runner/projection-collection';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../../projections/sandbox-clocks.projection';
import { HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { SandboxClockDocument } from '../../../src/modules/sandbox/sandbox-clocks.read-model';
import { AdvancedClocks } from '../../../src/processes/expiry/advanced-clocks';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ManualClock, NOON } from '../../support/payment-fixture';

const LOOK_BACK_MS = 10 * MINUTE_MS;
const ALL = 1_000;

/** Clocks that were advanced at `atMs` of the wall's, each to an hour ahead by default. */
function stage() {
  const documents = new MemoryDocuments();
  const readModels = new StoredReadModels(documents, new MemoryEventStore(), new ManualClock(NOON));
  const clocks = new AdvancedClocks(readModels);
  const advance = async (id: string, atMs: number, toMs = atMs + HOUR_MS, mode = 'test') => {
    const body: SandboxClockDocument = { mode, advanced_at: isoTime(atMs), now: isoTime(toMs) };
    await (await documents.open(collectionSpec(sandboxClocksProjection))).put({ id, version: 1, body });
  };
  const due = async (wallMs: number, limit = ALL) => {
    await clocks.refresh(wallMs);
    return clocks.due(wallMs, limit);
  };
  return { readModels, clocks, advance, due };
}

describe('clocks that were advanced', () => {
  it('are all looked at first, however long ago it was, and however many pages they fill', async () => {
    const { advance, due } = stage();
    const many = Array.from({ length: 501 }, (_, index) => `mch_${index}`);
    for (const id of many) await advance(id, 0);
    await advance('mch_live', NOON, NOON, 'live');
    expect([...(await due(NOON))].sort()).toStrictEqual([...many].sort());
  });

  it('are looked for as far back as an advance may come late, and no further', async () => {
    const { advance, due } = stage();
    expect(await due(NOON)).toStrictEqual([]);
    await advance('mch_late', NOON - LOOK_BACK_MS);
    await advance('mch_before', NOON - LOOK_BACK_MS - 1);
    expect(await due(NOON + HOUR_MS)).toStrictEqual(['mch_late']);
  });

  it('are not looked at again before their time, unless they were advanced further', async () => {
    const { clocks, advance, due } = stage();
    await advance('mch_1', NOON);
    await due(NOON);
    clocks.checkAgain('mch_1', NOON + 2);
    expect(await due(NOON + 1)).toStrictEqual([]);
    expect(await due(NOON + 2)).toStrictEqual(['mch_1']);
    clocks.checkAgain('mch_1', Infinity);
    expect(await due(NOON + 3)).toStrictEqual([]);
    // Within the same moment of the wall's.
    await advance('mch_1', NOON, NOON + 2 * HOUR_MS);
    expect(await due(NOON + 3)).toStrictEqual(['mch_1']);
  });

  it('take turns where there are more than a round looks at', async () => {
    const { clocks, advance, due } = stage();
    for (const id of ['mch_1', 'mch_2', 'mch_3']) await advance(id, NOON);
    expect(await due(NOON, 2)).toStrictEqual(['mch_1', 'mch_2']);
    for (const id of ['mch_1', 'mch_2']) clocks.checkAgain(id, NOON);
    expect(await due(NOON, 2)).toStrictEqual(['mch_3', 'mch_1']);
  });

  it('are those that a look has found: of no other is one asked for', async () => {
    const { clocks, due } = stage();
    clocks.checkAgain('mch_1', NOON);
    expect(await due(NOON)).toStrictEqual([]);
  });
});
