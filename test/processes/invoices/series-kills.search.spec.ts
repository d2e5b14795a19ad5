import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { forwardingStore } from '../../../src/kernel/forwarding-store';
import { outageOf } from '../../../src/kernel/outage';
import { OutcomeUnknown, type EventStore } from '../../../src/kernel/ports/event-store';
import { invoiceNumber } from '../../../src/modules/invoices/invoice-series.decider';
import type { InvoiceNumberAllocated } from '../../../src/modules/invoices/invoice.events';
import { isRefusal } from '../../../src/vocabulary/errors';
import { searchSize } from '../../levels/search-size';
import { Killed } from '../../simulation/faulty-store';
import { Prng } from '../../simulation/prng';
import { ManualClock } from '../../support/manual-clock';
import { MemoryEventStore } from '../../support/memory-event-store';
import { InvoiceProcess } from './invoice-stage';

const CREATORS = searchSize('SERIES_CREATORS', { small: 32, full: 64 });
const KILLS = searchSize('SERIES_KILLS', { small: 6, full: 20 });
const SEEDS = searchSize('SERIES_SEEDS', { small: 3, full: 10 });
const INVOICES_EACH = 8;
const PROCESSES = 4;
/** A client of a service that is away asks so often before the test gives up. */
const ASKS_LIMIT = 1_000;
const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const MERCHANT = 'mch_00000000000000000000000000';
const SERIES = `test.invoice_series-${MERCHANT}`;

type Fate = { appendsLeft: number };

/** A process that dies in one of its appends: with it written, without it, or while it is on its way. */
class MortalProcess {
  isDead = false;
  readonly invoices: InvoiceProcess;

  constructor(
    private readonly log: MemoryEventStore,
    private readonly prng: Prng,
    clock: ManualClock,
    /** Appends of all processes that are left before the next one is a process's last. */
    private readonly fate: Fate,
  ) {
    const alive =
      <Arguments extends unknown[], Answer>(call: (...given: Arguments) => Promise<Answer>) =>
      async (...given: Arguments): Promise<Answer> => {
        await this.hop();
        const answer = await call(...given);
        await this.hop();
        return answer;
      };
    const store = forwardingStore(log);
    const mortal: EventStore = {
      ...store,
      readStream: alive((...asked) => log.readStream(...asked)),
      append: alive((...append) => this.append(...append)),
    };
    this.invoices = new InvoiceProcess(mortal, clock);
  }

  /** Some turns pass, so that the creators' steps meet in every order. */
  private async hop(): Promise<void> {
    for (let turns = this.prng.below(3); turns > 0; turns--) await nextTurn();
    if (this.isDead) throw new Killed();
  }

  private async append(...[stream, expected, events]: Parameters<EventStore['append']>) {
    const { log, prng } = this;
    const end = this.fate.appendsLeft-- === 0 ? prng.below(3) : null;
    if (end === null && prng.chance(8)) {
      await log.append(stream, expected, events);
      throw new OutcomeUnknown('the answer was lost');
    }
    if (end === null) return log.append(stream, expected, events);
    this.isDead = true;
    if (end === 0) await log.append(stream, expected, events);
    // The append outlives its process: by then the client may ask another one.
    if (end === 1) void late(prng.below(20)).then(() => log.append(stream, expected, events).catch(() => undefined));
    throw new Killed();
  }
}

async function late(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

class Trial {
  readonly log = new MemoryEventStore();
  readonly answered = new Map<string, Set<string>>();
  kills = 0;
  retries = 0;
  private readonly clock = new ManualClock(NOON);
  private readonly prng: Prng;
  private readonly processes: MortalProcess[];
  private readonly fate: Fate = { appendsLeft: 0 };

  constructor(seed: number) {
    this.prng = new Prng(seed);
    this.spin();
    this.processes = Array.from({ length: PROCESSES }, () => this.start());
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CREATORS }, (_, creator) => this.create(creator)));
    const last = new InvoiceProcess(this.log, this.clock);
    await last.catchUp();
    await last.catchUp();
  }

  private start(): MortalProcess {
    return new MortalProcess(this.log, this.prng, this.clock, this.fate);
  }

  /** A client whose call fails asks again at once, or after all its other drafts: by then the series is long. */
  private async create(creator: number): Promise<void> {
    const open = Array.from({ length: INVOICES_EACH }, (_, index) => `creator-${creator}-${index}`);
    const asked = new Set<string>();
    for (let asks = 0; open.length > 0; asks++) {
      if (asks >= ASKS_LIMIT) throw new Error(`${open.join()} got no answer`);
      const commandId = open[0] as string;
      const isAnswered = await this.ask(commandId, !asked.has(commandId));
      asked.add(commandId);
      // An answer can be lost on its way, too: the client asks once more.
      if (isAnswered && !this.prng.chance(12)) open.shift();
      else this.retries += 1;
      if (!isAnswered && this.prng.chance(50)) open.push(open.shift() as string);
    }
  }

  private async ask(commandId: string, isFirstTry: boolean): Promise<boolean> {
    const place = this.prng.below(PROCESSES);
    const asked = this.processes[place] as MortalProcess;
    try {
      const id = await asked.invoices.draft(this.context(commandId, isFirstTry));
      this.answered.set(commandId, (this.answered.get(commandId) ?? new Set()).add(id));
      return true;
    } catch (error) {
      if (!(error instanceof Killed) && !isRefusal(error, 'provider_unavailable') && outageOf(error) === null)
        throw error;
      if (asked.isDead && this.processes[place] === asked) this.replace(place);
      return false;
    }
  }

  /** A draft makes two appends, so that the kills are about twice as many as asked for. */
  private spin(): void {
    this.fate.appendsLeft = this.prng.below(Math.ceil((2 * CREATORS * INVOICES_EACH) / KILLS));
  }

  private replace(place: number): void {
    this.kills += 1;
    this.spin();
    this.processes[place] = this.start();
  }

  private context(commandId: string, isFirstTry: boolean): MerchantContext {
    return {
      ...{ commandId, isFirstTry, startedAt: NOON, now: NOON, universe: 'test', merchantId: MERCHANT },
      actor: { role: 'api', type: 'api_key', id: 'key_1' },
      ...{ requestId: null, correlationId: commandId, causationId: null, ip: null },
    };
  }
}

it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'no kill leaves a gap in a series, or a number twice (seed %d)',
  async seed => {
    const trial = new Trial(seed);
    await trial.run();
    const events = await trial.log.readStream(SERIES, { limit: 100_000 });
    const drafts = events.map(({ data }) => data as InvoiceNumberAllocated['data']);
    const count = CREATORS * INVOICES_EACH;
    const expected = Array.from({ length: count }, (_, index) => index + 1);
    expect(drafts.map(({ sequence }) => sequence)).toEqual(expected);
    expect(drafts.map(({ number }) => number)).toEqual(expected.map(each => invoiceNumber('INV-', each)));
    expect(events.map(({ revision }) => revision + 1)).toEqual(expected);
    // Each command has one invoice, and each answer that it got named that one.
    const answers = [...trial.answered.values()];
    expect(answers.every(({ size }) => size === 1)).toBe(true);
    expect(new Set(answers.flatMap(ids => [...ids]))).toEqual(new Set(drafts.map(({ invoice }) => invoice)));
    expect(new Set(drafts.map(({ invoice }) => invoice)).size).toBe(count);
    for (const { invoice, sequence } of drafts) {
      const [drafted, ...more] = await trial.log.readStream(`test.invoice-${invoice}`);
      expect([drafted?.data.sequence, more]).toEqual([sequence, []]);
    }
    expect(trial.kills).toBeGreaterThanOrEqual(KILLS);
    expect(trial.retries).toBeGreaterThan(KILLS);
    process.stdout.write(
      `seed ${seed}: ${CREATORS} creators, ${count} invoices, ${trial.kills} kills, ${trial.retries} repeated calls\n`,
    );
  },
  120_000,
);
