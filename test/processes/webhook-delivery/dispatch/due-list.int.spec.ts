import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/kernel/clock';
import { NOON } from '../../../support/payment-fixture';
import { merchantOf, type Due } from '../../due-on-disk';
import { DueListStage } from './due-list-stage';

const PAGE = 200;
const PAGES_A_LOOK = 20;
/** The dispatcher's pauses between two looks: as a rule, and where the first has left something. */
const [POLL_MS, BREATH_MS] = [SECOND_MS / 2, 1];

let stage: DueListStage;
beforeEach(() => {
  stage = new DueListStage();
});
afterEach(() => stage.close());

const numbered = (count: number, dueMs: number, name = 'old'): readonly Due[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name} ${String(index).padStart(6, '0')}`,
    dueMs: dueMs + index,
  }));

describe('a look at what is due', () => {
  it('finds what has fallen due in its mode, and finds it again while it is there', async () => {
    await stage.wait({ id: 'due', dueMs: NOON }, { id: 'not yet', dueMs: NOON + 1 });
    await stage.wait({ id: 'live', dueMs: NOON, mode: 'live' });
    expect([await stage.look(), await stage.look(true)]).toStrictEqual([['due'], ['due']]);
    expect(await stage.look()).toStrictEqual([]);
    stage.clock.timeMs += 1;
    expect(await stage.look()).toStrictEqual(['not yet']);
  });

  it('finds at once what falls due behind very many that wait for their turn', async () => {
    await stage.wait(...numbered(3 * PAGE * PAGES_A_LOOK, NOON - DAY_MS));
    for (await stage.look(); stage.isMore; await stage.look());
    stage.clock.timeMs += MINUTE_MS;
    await stage.wait({ id: 'new', dueMs: stage.clock.timeMs });
    expect(await stage.look()).toContain('new');
    expect(stage.isMore).toBe(false);
  });

  it('finds what came late into the list', async () => {
    await stage.wait(...numbered(2 * PAGE, NOON - DAY_MS));
    await stage.look();
    stage.clock.timeMs += 3 * SECOND_MS;
    await stage.wait({ id: 'late', dueMs: NOON - SECOND_MS });
    expect(await stage.look()).toContain('late');
  });

  it('comes round to what came later still', async () => {
    await stage.wait(...numbered(2 * PAGE, NOON - DAY_MS));
    await stage.look();
    stage.clock.timeMs += HOUR_MS;
    await stage.look();
    await stage.wait({ id: 'very late', dueMs: NOON - HOUR_MS });
    const looks = [await stage.look(), await stage.look(), await stage.look()];
    expect(looks.flat()).toContain('very late');
  });

  it('finds all that waits after a restart', async () => {
    const all = numbered(PAGE * PAGES_A_LOOK + 10, NOON - DAY_MS);
    await stage.wait(...all);
    await stage.look();
    stage.restart();
    const found = new Set(await stage.look());
    expect(stage.isMore).toBe(true);
    for (const id of await stage.look()) found.add(id);
    expect(found.size).toBe(all.length);
    expect(stage.isMore).toBe(false);
  });
});

describe('an advanced clock', () => {
  const [ahead, other] = [merchantOf(1), merchantOf(2)];

  it('makes due what it has passed, of its merchant alone', async () => {
    await stage.wait(
      { id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'later', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS },
      { id: 'of another', merchantId: other, dueMs: NOON + HOUR_MS },
    );
    expect(await stage.look(true)).toStrictEqual([]);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.look(true)).toStrictEqual(['due']);
    expect(await stage.look(true)).toStrictEqual([]);
    stage.clock.timeMs += MINUTE_MS;
    expect(await stage.look(true)).toStrictEqual(['later']);
  });

  it('is followed after a restart, and at each further advance', async () => {
    await stage.wait(
      { id: 'old', merchantId: ahead, dueMs: NOON + 10 * DAY_MS },
      { id: 'next', merchantId: ahead, dueMs: NOON + 11 * DAY_MS },
    );
    await stage.advance(ahead, 5 * DAY_MS);
    stage.clock.timeMs += 5 * DAY_MS;
    stage.restart();
    expect(await stage.look(true)).toStrictEqual(['old']);
    await stage.advance(ahead, DAY_MS);
    expect(await stage.look(true)).toStrictEqual(['next']);
  });

  it('is asked again at each further poll while it has anything due', async () => {
    await stage.wait({ id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS });
    await stage.advance(ahead, HOUR_MS);
    for (let polls = 0; polls < 3; polls++) {
      expect(await stage.look(polls === 2)).toStrictEqual(['due']);
      stage.clock.timeMs += POLL_MS;
    }
    expect((await stage.list.ofClock(ahead)).map(({ id }) => id)).toStrictEqual([]);
  });

  it('comes round to all that is due by it, though the first of them cannot be sent', async () => {
    const stuck = numbered(2 * PAGE + 1, NOON + HOUR_MS).map(delivery => ({ ...delivery, merchantId: ahead }));
    await stage.wait(...stuck);
    await stage.advance(ahead, HOUR_MS + MINUTE_MS);
    const found = new Set<string>();
    for (let polls = 0; polls < 3; polls++) {
      for (const id of await stage.look()) found.add(id);
      stage.clock.timeMs += POLL_MS;
    }
    expect(found.size).toBe(stuck.length);
    expect(await stage.look()).toContain(stuck[0]?.id);
  });
});

describe('advanced clocks with something due at receivers that hang', () => {
  const CLOCKS = 2 * PAGE + 1;
  const POLLS = 4;
  /** The reads of a poll: new deliveries, a page of all, the advanced clocks, and a page of each asked clock. */
  const READS_AT_MOST = 3 + PAGE;

  beforeEach(async () => {
    for (let index = 1; index <= CLOCKS; index++) {
      await stage.wait({ id: `due ${index}`, merchantId: merchantOf(index), dueMs: NOON + HOUR_MS });
      await stage.advance(merchantOf(index), HOUR_MS);
    }
  });

  /** The deliveries that so many polls of the dispatcher find. */
  async function looked(polls: number): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const endMs = stage.clock.timeMs + polls * POLL_MS; stage.clock.timeMs < endMs;) {
      for (const id of await stage.look()) found.add(id);
      stage.clock.timeMs += stage.isMore ? BREATH_MS : POLL_MS;
    }
    return found;
  }

  it('are asked no more often than the polls allow', async () => {
    const lists = jest.spyOn(stage.readModels, 'list');
    await looked(POLLS);
    expect(lists.mock.calls.length).toBeLessThanOrEqual(POLLS * READS_AT_MOST);
    lists.mockRestore();
  });

  it('have their turns', async () => {
    expect((await looked(POLLS)).size).toBe(CLOCKS);
  });
});
