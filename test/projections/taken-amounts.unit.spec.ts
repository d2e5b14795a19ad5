import fc from 'fast-check';
import { takenAmountsProjection } from '../../projections/taken-amounts.projection';
import type { RecordedEvent } from '../../src/kernel/event';
import { applyEvents, type DocumentChange } from '../../src/kernel/projection';
import type { Document } from '../../src/kernel/ports/documents';
import { FreeSlots } from '../../src/modules/amount-slots/free-slots';
import {
  stretchKey,
  withSlot,
  type TakenAmountsDocument,
} from '../../src/modules/amount-slots/taken-amounts.read-model';
import { LOOKED_AT_SLOTS, seededRanks } from '../../src/modules/quotes/amount-grid';
import { cpuMs } from '../support/longest-hold';

const GRID = 'base:0x70997970C51812dc3A010C7d01b50e0d17dc79C8:usdc-base';
/** Two stretches meet here. */
const EDGE = 2_703_360n;
const AROUND = { first: EDGE - 8n, count: 16 };

type Change = { readonly slot: bigint; readonly type: 'AmountReserved' | 'AmountReleased'; readonly grid?: string };

function recorded(changes: readonly Change[]): readonly RecordedEvent[] {
  return changes.map(({ slot, type, grid = GRID }, index) => {
    const stream = `test.amount_slot-${grid}:${slot}`;
    return { id: `event-${index}`, stream, revision: 0, position: index + 1, type, data: {}, metadata: {} };
  }) as unknown as readonly RecordedEvent[];
}

/** The documents after each delivery, which is a run of its own over the documents of those before it. */
function documentsAfter(deliveries: readonly (readonly RecordedEvent[])[]): readonly Document<TakenAmountsDocument>[] {
  const documents = new Map<string, DocumentChange<TakenAmountsDocument>>();
  for (const events of deliveries) {
    const before = (id: string) => (documents.get(id) as Document<TakenAmountsDocument> | undefined) ?? null;
    for (const [id, change] of applyEvents(takenAmountsProjection, events, before)) documents.set(id, change);
  }
  return [...documents.values()].map(change => change as Document<TakenAmountsDocument>);
}

function freeAround(changes: readonly Change[], grid = GRID): readonly number[] {
  const bodies = documentsAfter([recorded(changes)]).map(({ body }) => body);
  return offsetsOf(bodies.filter(body => body.grid === grid));
}

function offsetsOf(bodies: readonly TakenAmountsDocument[]): readonly number[] {
  const free = new FreeSlots(bodies, AROUND);
  expect(() => free.at(free.count)).toThrow('there is no free slot');
  return Array.from({ length: free.count }, (_, rank) => Number(free.at(rank) - AROUND.first));
}

const all = Array.from({ length: AROUND.count }, (_, offset) => offset);

describe('the index of taken amounts', () => {
  it('tells a reserved slot from its neighbours, on both sides of the edge of a stretch', () => {
    const taken: readonly Change[] = [-3n, -1n, 0n, 5n].map(off => ({ slot: EDGE + off, type: 'AmountReserved' }));
    expect(freeAround(taken)).toStrictEqual(all.filter(offset => ![5, 7, 8, 13].includes(offset)));
    expect(documentsAfter([recorded(taken)])).toHaveLength(2);
  });

  it('calls a released slot free again', () => {
    const slot = EDGE + 2n;
    const taken: readonly Change[] = [
      { slot, type: 'AmountReserved' },
      { slot, type: 'AmountReleased' },
    ];
    expect(freeAround(taken)).toStrictEqual(all);
  });

  it('keeps the grids of two addresses apart', () => {
    const grid = GRID.replace('0x7', '0x8');
    expect(freeAround([{ slot: EDGE, type: 'AmountReserved', grid }])).toStrictEqual(all);
    expect(freeAround([{ slot: EDGE, type: 'AmountReserved', grid }], grid)).toStrictEqual(
      all.filter(each => each !== 8),
    );
  });

  it('calls everything free where there is no document', () => {
    expect(offsetsOf([])).toStrictEqual(all);
  });

  it('is the same by one delivery, by several, and by events that come twice', () => {
    const change = fc.record({
      slot: fc.bigInt({ min: AROUND.first, max: AROUND.first + BigInt(AROUND.count - 1) }),
      type: fc.constantFrom('AmountReserved', 'AmountReleased'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), fc.nat(40), (changes, cut) => {
        const events = recorded(changes as readonly Change[]);
        const once = documentsAfter([events]);
        expect(documentsAfter([events.slice(0, cut), events])).toStrictEqual(once);
        expect(documentsAfter([...events.map(event => [event]), events])).toStrictEqual(once);
        const last = new Map(changes.map(({ slot, type }) => [slot, type]));
        const free = all.filter(offset => last.get(AROUND.first + BigInt(offset)) !== 'AmountReserved');
        expect(offsetsOf(once.map(({ body }) => body))).toStrictEqual(free);
      }),
      { numRuns: 50 },
    );
  });

  it('holds nobody up where the widest part of a window is looked at', () => {
    const window = { first: EDGE, count: LOOKED_AT_SLOTS };
    const stretches = Array.from({ length: 16 }, (_, index) => EDGE + BigInt(index) * 4_096n);
    const documents = stretches.map(slot => ({ stretch: stretchKey(slot), taken: withSlot(null, slot, true) }));
    const took = Array.from({ length: 10 }, (_, round) => {
      const startMs = cpuMs();
      const free = new FreeSlots(documents, window);
      const slots = seededRanks(free.count, `round ${round}`).map(rank => free.at(rank));
      const tookMs = cpuMs() - startMs;
      expect(new Set(slots).size).toBe(16);
      return tookMs;
    });
    expect(Math.min(...took)).toBeLessThan(5);
  });
});
