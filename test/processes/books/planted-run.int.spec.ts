import { DAY_MS, SECOND_MS, startOfDay } from '../../../src/kernel/clock';
import { reconciliationsReadModel } from '../../../src/modules/books/reconciliations.read-model';
import { dayAfter } from '../../../src/modules/books/utc-day';
import { NETWORK_IDS, type NetworkId } from '../../../src/vocabulary/networks';
import { formatUnits } from '../../../src/vocabulary/money';
import { MERCHANT, WALLET } from '../../support/payment-fixture';
import type { ScriptedTransfer } from '../../support/scripted-chain';
import { BooksStage, FIRST_DAY, SECOND_WALLET } from './books-stage';
import { DUST_WALLET, PLANTED, type Means, type Planting, type Row } from './plantings';

const DUST_ADDRESS = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const SHOP = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const NAMES: Readonly<Record<string, string>> = { [WALLET]: 'till', [SECOND_WALLET]: 'second', [DUST_WALLET]: 'dust' };
const WALLETS = Object.keys(NAMES);
/** The first day begins at noon. Differences are planted from the second to the sixth day; the others stay clean. */
const DAYS = Array.from({ length: 7 }).reduce<string[]>(days => [...days, dayAfter(days.at(-1) ?? '')], [FIRST_DAY]);
/** Twice the longest time in which a transfer that left the chain may come back, and some. */
const LONG_MISSED = 520;
const RUN_MS = 120_000;

/** A network's books of all days, with or without what is planted. */
class Run {
  readonly stage: BooksStage;
  private readonly means = new Map<Planting, Means>();
  private transactions = 1_000;

  constructor(
    readonly network: NetworkId,
    private readonly planted: readonly Planting[],
  ) {
    this.stage = new BooksStage({ network });
  }

  async play(): Promise<void> {
    const { stage } = this;
    await stage.begin();
    await stage.addWallet(DUST_WALLET, stage.addressOf(DUST_ADDRESS));
    await stage.pass(120);
    const one = 10n ** BigInt(stage.fixture.token.decimals);
    for (const to of [stage.fixture.address, stage.secondAddress, stage.addressOf(DUST_ADDRESS)])
      await stage.mine(stage.transfer(this.nextHash(), 100n * one, { to }));
    for (const [day] of DAYS.entries()) if (day > 0) await this.playDay(day, one);
    await this.passTo(startOfDay(DAYS.at(-1) ?? '') + DAY_MS);
    await this.keep();
  }

  /** The differences of all days, by what the API lists. */
  async named(): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { day, wallet, body } of await this.documents())
      for (const { kind, amount_base_units, tx_hash } of body.differences)
        rows.push([DAYS.indexOf(day), wallet, kind, BigInt(amount_base_units), tx_hash]);
    return rows;
  }

  async documents() {
    const { fixture } = this.stage;
    const found = [];
    for (const wallet of WALLETS) {
      const equals = { merchant_id: MERCHANT, mode: 'test', wallet };
      const days = await fixture.readModels.list(reconciliationsReadModel, { index: 'by_wallet', equals, limit: 100 });
      for (const { body } of days) {
        const reconciled = await this.stage.reconciled(body.day, wallet);
        if (reconciled) found.push({ day: body.day, wallet, status: body.status, body: reconciled });
      }
    }
    return found;
  }

  meansOf(planting: Planting): Means {
    const means = this.means.get(planting);
    if (!means) throw new Error(`${planting.name} was not planted`);
    return means;
  }

  /** The time of a planting in a day's first block, or in its last one. */
  edgeOf({ day, block }: Planting): number {
    const startMs = startOfDay(DAYS[day] ?? '');
    return block === 'first' ? startMs : startMs + DAY_MS - SECOND_MS;
  }

  private async playDay(day: number, one: bigint): Promise<void> {
    const { stage } = this;
    await this.passTo(startOfDay(DAYS[day] ?? ''));
    await stage.mine(...(await this.planting(day, 'first')));
    await stage.mine(...(await this.honest(day, one)));
    await stage.mine(...(await this.planting(day, 'middle')));
    await this.reorganise(await this.planting(day, 'reorganised'));
    await this.keep();
    await this.passTo(startOfDay(DAYS[day] ?? '') + DAY_MS - SECOND_MS);
    stage.chain.mine(...(await this.planting(day, 'last')));
    stage.fixture.clock.timeMs += SECOND_MS;
  }

  /** Seen once, and once more in the block that takes the first one's place. */
  private async reorganise(transfers: readonly ScriptedTransfer[]): Promise<void> {
    if (transfers.length === 0) return;
    this.stage.chain.mine(...transfers);
    this.stage.fixture.clock.timeMs += SECOND_MS;
    await this.stage.pass(1);
    this.stage.chain.reorganise(2, transfers, 1);
    await this.stage.pass(25);
  }

  /** Money comes and goes on each day: by a payment, unasked for, between wallets, as dust, and to the shop. */
  private async honest(day: number, one: bigint): Promise<readonly ScriptedTransfer[]> {
    const { stage } = this;
    const due = await stage.fixture.quoted(paymentId(day));
    const { address: till } = stage.fixture;
    const transfer = (value: bigint, changes: Partial<ScriptedTransfer> = {}) =>
      stage.transfer(this.nextHash(), value, changes);
    return [
      transfer(due),
      transfer(7n * one),
      transfer(3n * one, { from: stage.secondAddress }),
      transfer(one / 100n - 1n, { to: stage.addressOf(DUST_ADDRESS) }),
      transfer(2n * one, { from: till, to: stage.addressOf(SHOP) }),
    ];
  }

  private async planting(day: number, block: Planting['block']): Promise<readonly ScriptedTransfer[]> {
    const transfers: ScriptedTransfer[] = [];
    for (const planting of this.planted) {
      if (planting.network !== this.network) continue;
      if (planting.day === day && planting.block === block)
        transfers.push(...planting.transfers(await this.newMeans(planting)));
      if (planting.later?.[0] === day && block === 'middle')
        transfers.push(...planting.later[1](this.meansOf(planting)));
    }
    return transfers;
  }

  private async newMeans(planting: Planting): Promise<Means> {
    const { stage } = this;
    const { fixture } = stage;
    const isPayment = planting.name.includes('payment');
    const means = {
      stage,
      one: 10n ** BigInt(fixture.token.decimals),
      due: isPayment ? await fixture.quoted(paymentId(100 + PLANTED.indexOf(planting))) : 0n,
      hash: this.nextHash(),
      otherHash: this.nextHash(),
      till: fixture.address,
      second: stage.secondAddress,
      dust: stage.addressOf(DUST_ADDRESS),
      shop: stage.addressOf(SHOP),
    };
    this.means.set(planting, means);
    return means;
  }

  /** The next block has this time. */
  private async passTo(timeMs: number): Promise<void> {
    const { chain, fixture } = this.stage;
    const { timeMs: headMs } = await chain.head();
    const skippedMs = timeMs - headMs - SECOND_MS;
    chain.skipTime(skippedMs);
    fixture.clock.timeMs += skippedMs;
  }

  /** The books of the day before are kept: those of a transfer that the two differ on come last. */
  private async keep(): Promise<void> {
    await this.stage.pass(25);
    await this.stage.keep();
    await this.stage.pass(LONG_MISSED);
    await this.stage.keep();
  }

  private nextHash(): string {
    const number = (this.transactions += 1).toString(16).padStart(64, '0');
    return this.network === 'tron' ? number : `0x${number}`;
  }
}

function paymentId(number: number): string {
  return `pi_${String(number).padStart(26, '0')}`;
}

async function played(planted: readonly Planting[]): Promise<readonly Run[]> {
  const runs = NETWORK_IDS.map(network => new Run(network, planted));
  for (const run of runs) await run.play();
  return runs;
}

it('twenty differences are planted, each another one', () => {
  expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(20);
  expect(new Set(PLANTED.map(({ network }) => network)).size).toBe(NETWORK_IDS.length);
});

it(
  'names each of them by wallet, token, day and amount, and nothing else',
  async () => {
    const lines: string[] = [];
    for (const run of await played(PLANTED)) {
      const { token } = run.stage.fixture;
      const own = PLANTED.filter(({ network }) => network === run.network);
      const named = await run.named();
      const expected = own.flatMap(planting => planting.named(run.meansOf(planting)));
      expect(sorted(named)).toStrictEqual(sorted(expected));
      for (const planting of own.filter(({ block }) => block === 'first' || block === 'last'))
        expect(run.stage.chain.timeOf(run.meansOf(planting).hash)).toBe(run.edgeOf(planting));
      const documents = await run.documents();
      const different = new Set(expected.map(([day, wallet]) => `${DAYS[day]} ${wallet}`));
      for (const { day, wallet, status } of documents)
        expect([day, wallet, status]).toEqual([
          day,
          wallet,
          different.has(`${day} ${wallet}`) ? 'different' : 'balanced',
        ]);
      for (const planting of own)
        for (const [day, wallet, kind, amount] of planting.named(run.meansOf(planting)))
          lines.push(
            [
              planting.name.padEnd(50),
              token.id.padEnd(10),
              (NAMES[wallet] ?? '').padEnd(7),
              DAYS[day],
              kind.padEnd(17),
              signed(amount, token.decimals).padStart(23),
              documents.find(each => each.day === DAYS[day] && each.wallet === wallet)?.status,
            ].join(' '),
          );
    }
    process.stdout.write(`${lines.join('\n')}\n`);
  },
  RUN_MS,
);

it(
  'finds no difference on any day where nothing is planted',
  async () => {
    for (const run of await played([])) {
      const documents = await run.documents();
      expect(documents).toHaveLength(WALLETS.length * DAYS.length);
      for (const { status, body } of documents) {
        expect([body.day, status, body.difference_base_units, body.differences]).toEqual([
          body.day,
          'balanced',
          '0',
          [],
        ]);
      }
      expect(documents.filter(({ body }) => body.transfers > 0).length).toBeGreaterThan(2 * (DAYS.length - 2));
    }
  },
  RUN_MS,
);

function sorted(rows: readonly Row[]): readonly string[] {
  return rows.map(row => row.map(String).join(' ')).sort();
}

function signed(amount: bigint, decimals: number): string {
  return `${amount > 0n ? '+' : ''}${formatUnits(amount, decimals)}`;
}
