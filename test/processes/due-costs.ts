import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock';
import type { JsonObject } from '../../src/vocabulary/json';
import { searchSize } from '../levels/search-size';
import { NOON } from '../support/payment-fixture';
import { merchantOf, type DueOnDisk } from './due-on-disk';

const LIMIT_MS = 120_000;
const ROUNDS = 40;
const RATIO_AT_MOST = 3;
const FEW = 1_000;
const WAITING = searchSize('DUE_WAITING', { small: 20_000, full: 100_000 });
const MERCHANTS = searchSize('DUE_MERCHANTS', { small: 2_000, full: 10_000 });

type Cost = { readonly queries: number; readonly documents: number };

/** The cost of a round while nothing is due: `quiet`, however much waits. */
export function describeCosts<Body extends JsonObject>(open: () => DueOnDisk<Body>, quiet: Cost): void {
  let stage: DueOnDisk<Body>;
  beforeEach(() => (stage = open()));
  afterEach(() => stage.close());

  const waiting = (at: DueOnDisk<Body>, count: number) =>
    at.wait(
      ...Array.from({ length: count }, (_, index) => {
        return { id: `open ${index}`, merchantId: merchantOf(index % MERCHANTS), dueMs: NOON + DAY_MS + index };
      }),
    );

  it(
    `is the same for ${WAITING} that wait, of ${MERCHANTS} merchants, as for ${FEW}`,
    async () => {
      const crowded = open();
      try {
        await waiting(stage, FEW);
        await waiting(crowded, WAITING);
        const [few, many] = await costsOfRounds(stage, crowded);
        expect(few).toMatchObject(quiet);
        expect(many).toMatchObject(quiet);
        expect(Number(many?.medianMs) / Number(few?.medianMs)).toBeLessThan(RATIO_AT_MOST);
      } finally {
        await crowded.close();
      }
    },
    LIMIT_MS,
  );

  it(
    `has no query for any of ${MERCHANTS} advanced clocks with nothing due`,
    async () => {
      await waiting(stage, MERCHANTS);
      await stage.advanceAll(
        Array.from({ length: MERCHANTS }, (_, index) => merchantOf(index)),
        MINUTE_MS,
      );
      stage.clock.timeMs += HOUR_MS;
      expect(await costsOfRounds(stage)).toMatchObject([quiet]);
    },
    LIMIT_MS,
  );
}

/** The stages' rounds alternate: other work of this machine weighs on all alike. */
async function costsOfRounds<Body extends JsonObject>(...stages: readonly DueOnDisk<Body>[]) {
  // The first rounds of a new process look at each clock once.
  for (const each of stages) await each.rounds();
  const measured = stages.map(each => {
    return { each, lists: jest.spyOn(each.readModels, 'list'), times: [] as number[] };
  });
  for (let count = 0; count < ROUNDS; count++) {
    for (const { each, times } of measured) {
      const start = performance.now();
      expect(await each.round()).toStrictEqual([]);
      times.push(performance.now() - start);
    }
  }
  const costs = measured.map(async ({ lists, times }) => {
    const pages = (await Promise.all(lists.mock.results.map(result => result.value))) as readonly unknown[][];
    const [queries, documents] = [pages.length / ROUNDS, pages.flat().length / ROUNDS];
    lists.mockRestore();
    return { queries, documents, medianMs: times.sort((a, b) => a - b)[ROUNDS >> 1] as number };
  });
  return Promise.all(costs);
}
