import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deadlinesProjection } from '../../../projections/deadlines.projection';
import { readChanges, writeChanges } from '../../../projections/runner/document-changes';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { takenAmountsProjection } from '../../../projections/taken-amounts.projection';
import { HOUR_MS, isoTime } from '../../../src/kernel/clock';
import { systemContext, type CommandContext } from '../../../src/kernel/command-context';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { Projection } from '../../../src/kernel/projection';
import { ReadModelBeingBuilt, type ReadModels } from '../../../src/kernel/ports/read-models';
import { WritePath } from '../../../src/kernel/write-path';
import { isRefusal } from '../../../src/vocabulary/errors';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { amountSlotId, amountSlots } from '../../../src/modules/amount-slots/amount-slot.decider';
import { amountOfSlot, gridWindow, seededSlots } from '../../../src/modules/quotes/amount-grid';
import { AmountReservation } from '../../../src/processes/method-selection/amount-reservation';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { shortestHold } from '../../support/longest-hold';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ADDRESS, MERCHANT, NOON, WALLET } from '../../support/payment-fixture';
import { recordedEvents } from '../../support/recorded-events';
import { RoundTrips } from '../../support/round-trips';

const LIMIT_MS = 60_000;
const HOLD_LIMIT_MS = 5;
const TRIES = 20;
const TOKEN = TOKENS['usdc-base'];
const PRICE = 10_000_000n;
const WINDOW = gridWindow(TOKEN, PRICE);
const UNTIL_MS = NOON + 24 * HOUR_MS;
const OTHER = 'pi_00000000000000000000000009';
const OWN = 'pi_00000000000000000000000001';
const PROJECTIONS = [takenAmountsProjection, deadlinesProjection] as unknown as readonly Projection[];

const slots = Array.from({ length: WINDOW.count }, (_, offset) => WINDOW.first + BigInt(offset));
const idOf = (slot: bigint): string => amountSlotId(TOKEN.network, ADDRESS, TOKEN.id, slot);
/** A slot that the command does not try at once. */
const notFirst = (commandId: string, place: number): bigint =>
  slots.filter(slot => !seededSlots(WINDOW, commandId).includes(slot))[place] as bigint;

const RESERVATION = {
  merchant_id: MERCHANT,
  wallet_id: WALLET,
  price_base_units: PRICE.toString(),
  reserved_until: isoTime(UNTIL_MS),
  purpose: 'quote',
} as const;

function contextOf(commandId: string, isFirstTry = true): CommandContext {
  return {
    ...systemContext(commandId, { actor: 'watcher', mode: 'test', merchantId: MERCHANT, now: NOON }),
    isFirstTry,
  };
}

/** One price of one address, whose documents follow the log when the test says so. */
class Price {
  readonly trips = new RoundTrips();
  readonly writes: WritePath;
  readonly readModels: ReadModels;
  private readonly clock = new ManualClock(NOON);
  private projected = 0;

  constructor(
    private readonly documents: Documents,
    readonly store = new MemoryEventStore(),
  ) {
    this.writes = new WritePath(this.trips.log(this.store), this.clock, () => Promise.resolve());
    this.readModels = new StoredReadModels(this.trips.documents(documents), this.store, this.clock);
  }

  async take(slot: bigint, commandId = `taking ${slot}`, paymentIntent = OTHER): Promise<void> {
    const amount = amountOfSlot(TOKEN, slot).toString();
    const reservation = { ...RESERVATION, payment_intent: paymentIntent, amount_base_units: amount };
    await this.writes.execute(amountSlots, idOf(slot), { type: 'reserve', reservation }, contextOf(commandId));
  }

  async free(slot: bigint): Promise<void> {
    const command = { type: 'release', paymentIntent: OTHER, reason: 'unused' } as const;
    await this.writes.execute(amountSlots, idOf(slot), command, contextOf(`freeing ${slot}`));
  }

  /** Brings the documents up to the log's end. */
  async project(): Promise<void> {
    const [reserved, released] = await Promise.all(
      ['AmountReserved', 'AmountReleased'].map(type => recordedEvents(this.store, 'amount_slot', type)),
    );
    const all = [...(reserved ?? []), ...(released ?? [])];
    const events = all.sort((one, other) => Number(one.position) - Number(other.position)).slice(this.projected);
    for (const projection of PROJECTIONS) {
      const collection = await this.documents.open(collectionSpec(projection));
      await writeChanges(collection, await readChanges(projection, collection, events));
    }
    this.projected = all.length;
  }

  /** The slot that a command gets, or the code of its refusal. */
  async reserve(context: CommandContext, readModels = this.readModels): Promise<bigint | string> {
    const request = {
      token: TOKEN, address: ADDRESS, walletId: WALLET, paymentIntent: OWN, merchantId: MERCHANT, priceBaseUnits: PRICE,
      reservedUntilMs: UNTIL_MS, olderByMs: HOUR_MS, purpose: 'quote',
    } as const; // prettier-ignore
    try {
      return (await new AmountReservation(this.writes, readModels).reserve(request, context)).slot;
    } catch (error) {
      if (isRefusal(error)) return error.code;
      throw error;
    }
  }
}

const ENGINES = {
  memory: async (use: (documents: Documents) => Promise<void>) => use(new MemoryDocuments()),
  embedded: async (use: (documents: Documents) => Promise<void>) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'quittance-'));
    const file = EmbeddedFile.open(folder, { role: 'service' });
    const documents = new EmbeddedDocuments(file);
    try {
      await use(documents);
    } finally {
      await documents.close();
      file.close();
      rmSync(folder, { recursive: true });
    }
  },
};

/** The log in which every amount of the price is taken. */
let full: MemoryEventStore;

beforeAll(async () => {
  const filling = new Price(new MemoryDocuments());
  for (const slot of slots) await filling.take(slot);
  full = filling.store;
}, LIMIT_MS);

describe('at a price of which every amount is taken', () => {
  it.each(Object.entries(ENGINES))(
    'a command reads one slot and asks the index once, in %s documents, and holds nobody up',
    async (_, engine) => {
      await engine(async documents => {
        const price = new Price(documents, full);
        await price.project();
        let answer: unknown = null;
        const asked = await price.trips.during(async () => (answer = await price.reserve(contextOf('command'))));
        expect(answer).toBe('reservation_capacity_exhausted');
        const ofAmounts = asked.filter(each => !each.endsWith('checkpoints'));
        expect(ofAmounts).toStrictEqual(['readStream amount_slot', 'list taken_amounts']);
        const holdMs = await shortestHold(HOLD_LIMIT_MS, TRIES, run => price.reserve(contextOf(`run ${run}`)));
        expect(holdMs).toBeLessThan(HOLD_LIMIT_MS);
      });
    },
    LIMIT_MS,
  );
});

describe('an index that is behind', () => {
  async function taken(of: readonly bigint[]): Promise<Price> {
    const price = new Price(new MemoryDocuments());
    for (const slot of of) await price.take(slot);
    return price;
  }

  it('is corrected by the log: a refused try is followed by the next one', async () => {
    const price = await taken(seededSlots(WINDOW, 'command'));
    const reserved = await price.reserve(contextOf('command'));
    expect(slots).toContain(reserved);
    expect(seededSlots(WINDOW, 'command')).not.toContain(reserved);
  });

  it('makes at most 16 tries beside the first one, and the refusal says that trying again helps', async () => {
    const price = new Price(new MemoryDocuments(), full);
    let answer: unknown = null;
    const asked = await price.trips.during(async () => (answer = await price.reserve(contextOf('command'))));
    expect(answer).toBe('provider_unavailable');
    expect(asked.filter(each => each === 'readStream amount_slot').length).toBeLessThanOrEqual(17);
    await price.project();
    expect(await price.reserve(contextOf('command'))).toBe('reservation_capacity_exhausted');
  });

  it('is done without while it is being built', async () => {
    const list = () => Promise.reject(new ReadModelBeingBuilt('taken_amounts'));
    const [first, second, ...others] = seededSlots(WINDOW, 'command');
    const price = await taken([first as bigint]);
    const building = { ...price.readModels, list } as unknown as ReadModels;
    expect(await price.reserve(contextOf('command'), building)).toBe(second);
    const crowded = await taken([first as bigint, second as bigint, ...others]);
    expect(await crowded.reserve(contextOf('command'), building)).toBe('provider_unavailable');
  });
});

describe('a command that runs again', () => {
  it('finds the amount that the index gave it, and takes no second one', async () => {
    const price = new Price(new MemoryDocuments());
    const [first] = seededSlots(WINDOW, 'command');
    await price.take(first as bigint);
    const reserved = await price.reserve(contextOf('command'));
    await price.project();
    expect(await price.reserve(contextOf('command', false))).toBe(reserved);
    expect(await recordedEvents(price.store, 'amount_slot', 'AmountReserved')).toHaveLength(2);
  });

  it('does not take an amount that the payment holds by another command', async () => {
    const price = new Price(new MemoryDocuments());
    const [first] = seededSlots(WINDOW, 'command');
    await price.take(first as bigint);
    const held = notFirst('command', 3);
    await price.take(held, 'another command', OWN);
    await price.project();
    const reserved = await price.reserve(contextOf('command', false));
    expect(slots).toContain(reserved);
    expect([first, held]).not.toContain(reserved);
  });
});

describe('at a price of which one amount is given back', () => {
  it(
    'the one amount that is given back is the next command’s, by one append',
    async () => {
      const price = new Price(new MemoryDocuments(), full);
      await price.project();
      const freed = notFirst('command', 700);
      await price.free(freed);
      expect(await price.reserve(contextOf('command'))).toBe('reservation_capacity_exhausted');
      await price.project();
      let answer: unknown = null;
      const asked = await price.trips.during(async () => (answer = await price.reserve(contextOf('command'))));
      expect(answer).toBe(freed);
      expect(asked.filter(each => each === 'append amount_slot')).toHaveLength(1);
      expect(asked.filter(each => each === 'readStream amount_slot').length).toBeLessThanOrEqual(2);
      expect(asked.filter(each => each.startsWith('list'))).toStrictEqual(['list taken_amounts']);
    },
    LIMIT_MS,
  );
});
