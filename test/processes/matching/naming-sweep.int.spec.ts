import { isoTime, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { Chain, LookedUp } from '../../../src/kernel/ports/chain';
import type { Document, ListQuery } from '../../../src/kernel/ports/documents';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import type { WritePath } from '../../../src/kernel/write-path';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import type { NamingDocument } from '../../../src/modules/transfers/namings.read-model';
import { NamingLooks, type NamingLooksParts } from '../../../src/processes/matching/naming-looks';
import { TransactionLookUps } from '../../../src/processes/matching/transaction-look-ups';
import type { WatchedChains } from '../../../src/processes/matching/transfer-moment';
import { WaitingNamings, type WaitingNaming } from '../../../src/processes/matching/waiting-namings';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

const MANY = 100_000;

const naming = (merchantId: string, number: number, network = 'base'): WaitingNaming => ({
  mode: 'test',
  merchantId,
  namingsId: `${network}:0x${number}`,
  paymentIntent: 'pi_1',
});

/** Namings that are pending for good, in the order in which they were filed, and the looks at them. */
class Stage {
  readonly clock = new ManualClock(NOON);
  readonly waiting = new WaitingNamings();
  /** Transactions asked for, each with the second. */
  readonly asked: { readonly network: string; readonly txHash: string; readonly atS: number }[] = [];
  readonly silent = new Set<string>();
  readonly looks: NamingLooks;

  constructor(private readonly pending: readonly WaitingNaming[]) {
    const { clock, waiting } = this;
    const log = new RecordingLog();
    const policy = watchPolicy('test', false);
    const watched: WatchedChains = (_, network) => ({ chain: this.chain(network), policy });
    const lookUps = new TransactionLookUps({ watched, headOf: () => Promise.resolve(1), clock, log });
    const state = { namings: { pi_1: { status: 'pending', expiresAt: '2027-01-01T00:00:00.000Z' } } };
    const writes = { load: () => Promise.resolve({ state }) } as unknown as WritePath;
    const readModels = { list: (_: unknown, query: ListQuery) => this.list(query) } as unknown as ReadModels;
    const parts = { writes, readModels, lookUps, waiting, watched, clock, log };
    this.looks = new NamingLooks(parts as unknown as NamingLooksParts);
  }

  async seconds(count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      this.clock.timeMs += SECOND_MS;
      const round = this.looks.round();
      await Promise.race([round, new Promise(resolve => setImmediate(resolve))]);
    }
  }

  /** The second at which the transaction was first asked for. */
  askedAt(txHash: string, network = 'base'): number | undefined {
    return this.asked.find(each => each.network === network && each.txHash === txHash)?.atS;
  }

  private chain(network: string): Chain {
    const lookUp = (txHash: string): Promise<LookedUp> => {
      this.asked.push({ network, txHash, atS: (this.clock.now() - NOON) / SECOND_MS });
      return this.silent.has(network) ? new Promise(() => undefined) : Promise.resolve({ kind: 'unknown' });
    };
    return { lookUp } as unknown as Chain;
  }

  private list({ index, equals, after, limit }: ListQuery): Promise<readonly Document<NamingDocument>[]> {
    expect([index, equals]).toStrictEqual(['by_filing', { status: 'pending' }]);
    const from = after === undefined ? 0 : Number(String(after.id).slice(3)) + 1;
    const page = this.pending.slice(from, from + limit).map((each, index) => ({
      id: `tc_${String(from + index).padStart(9, '0')}`,
      version: 0,
      body: {
        mode: each.mode,
        merchant_id: each.merchantId,
        payment_intent: each.paymentIntent,
        namings_id: each.namingsId,
        status: 'pending' as const,
        filed_at: isoTime(NOON - MINUTE_MS),
        kind: 'transaction' as const,
        reference: each.namingsId,
        log_index: null,
        reason: null,
        transfer_id: null,
        expires_at: null,
      },
    }));
    return Promise.resolve(page);
  }
}

const flood = Array.from({ length: MANY }, (_, number) => naming('many', number));

describe('a hundred thousand pending namings of one merchant', () => {
  it('do not hold up a fresh naming of another', async () => {
    const stage = new Stage(flood);
    await stage.seconds(10);
    stage.waiting.put(naming('one', MANY));
    await stage.seconds(2);
    expect(stage.askedAt(`0x${MANY}`)).toBeLessThanOrEqual(11);
  });

  it('do not hold up the pending namings of another, on the same network or on another', async () => {
    const stage = new Stage([...flood, naming('one', MANY), naming('one', MANY + 1), naming('one', MANY, 'bnb')]);
    await stage.seconds(5 * 60);
    expect(stage.askedAt(`0x${MANY}`)).toBeLessThan(5 * 60);
    expect(stage.askedAt(`0x${MANY + 1}`)).toBeLessThan(5 * 60);
    expect(stage.askedAt(`0x${MANY}`, 'bnb')).toBeLessThan(5 * 60);
  });

  it('are asked for within the budget, and each once before one of them is asked for again', async () => {
    const stage = new Stage(flood);
    await stage.seconds(20 * 60);
    expect(stage.asked.length).toBeLessThanOrEqual(2 * 20 * 60 + 3);
    expect(stage.asked.length).toBeGreaterThan(20 * 60);
    expect(new Set(stage.asked.map(({ txHash }) => txHash)).size).toBe(stage.asked.length);
  });

  it('take the room of some hundred', () => {
    const waiting = new WaitingNamings();
    for (const [number, each] of flood.entries()) waiting.offer(each, String(number).padStart(9, '0'));
    let drained = 0;
    for (let next = waiting.first('test:base'); next !== null; next = waiting.first('test:base')) {
      waiting.remove(next);
      drained += 1;
    }
    expect(drained).toBeLessThanOrEqual(1_000);
  });
});

describe('pending namings', () => {
  it('are looked at again every five minutes', async () => {
    const stage = new Stage([naming('one', 1), naming('other', 2)]);
    await stage.seconds(11 * 60);
    const times = stage.asked.filter(({ txHash }) => txHash === '0x1').map(({ atS }) => atS);
    expect(times).toStrictEqual([1, 301, 601]);
  });

  it('of one network do not wait for a silent provider of another', async () => {
    const stage = new Stage([]);
    stage.silent.add('base');
    stage.waiting.put(naming('one', 1, 'base'));
    await stage.seconds(2);
    stage.waiting.put(naming('one', 2, 'bnb'));
    await stage.seconds(2);
    expect(stage.askedAt('0x2', 'bnb')).toBeDefined();
  });

  it('of more merchants than there is room for are looked at in the end', () => {
    const merchants = Array.from({ length: 1_500 }, (_, number) => naming(`mch_${number}`, number));
    const waiting = new WaitingNamings();
    const looked = new Set<string>();
    for (let sweep = 0; sweep < 6; sweep++) {
      for (const [number, each] of merchants.entries()) waiting.offer(each, String(number).padStart(9, '0'));
      waiting.endSweep();
      for (let next = waiting.first('test:base'); next !== null; next = waiting.first('test:base')) {
        waiting.remove(next);
        looked.add(next.merchantId);
      }
    }
    expect(looked.size).toBe(1_500);
  });

  it('that were swept have their turn although fresh ones come without end', () => {
    const waiting = new WaitingNamings();
    waiting.offer(naming('swept', 0), '0');
    const order: string[] = [];
    for (let number = 1; number <= 20; number++) {
      waiting.put(naming('fresh', number));
      const next = waiting.first('test:base');
      if (next !== null) waiting.remove(next);
      order.push(next?.merchantId ?? '');
    }
    expect(order[0]).toBe('fresh');
    expect(order).toContain('swept');
  });
});
