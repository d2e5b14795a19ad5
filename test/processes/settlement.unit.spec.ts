import { fold } from '../../src/kernel/decider';
import { DAY_MS } from '../../src/kernel/clock';
import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import type { Screening } from '../../src/kernel/ports/screening';
import type { WritePath } from '../../src/kernel/write-path';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { isFollowed } from '../../src/modules/payment-intents/payment-intent.followed';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { AmountReservation } from '../../src/processes/method-selection/amount-reservation';
import { Settlement } from '../../src/processes/settlement';
import * as h from '../modules/payment-intents/histories';
import { RecordingLog } from '../support/payment-fixture';
import { stagedCommands } from '../support/staged-writes';

type Execute = WritePath['execute'];

const START = 1_790_000_000_000;
const deep = [...h.HISTORIES.confirming, h.depth('tr_1')];
const unseen = h.HISTORIES.confirming;
const CONFIRMED: PaymentIntentEvent = {
  type: 'PaymentConfirmed',
  data: { received_base_units: '27000120', received_minor_units: '2500', surplus_base_units: null },
};

/** A settlement over one payment's history, by which every payment of it goes; `commands` are the tried ones. */
function stage(history: readonly PaymentIntentEvent[]) {
  const world = {
    history,
    nowMs: START,
    /** The screening's verdict by payer; it fails for all others, after `costMs`. */
    verdicts: new Map<string, 'clear' | 'high_risk'>(),
    costMs: 0,
    screened: [] as string[],
    commands: [] as string[],
    /** The payers that were counted, and whether each is over the limit. */
    counted: [] as string[],
    isOver: false,
    reserved: [] as object[],
    /** The refusal of every amount; null where one is free. */
    noAmount: null as ErrorCode | null,
    failure: null as Error | null,
    /** The events that others record before each of the next readings. */
    rivals: [] as (readonly PaymentIntentEvent[])[],
  };
  const stateNow = () => fold(paymentIntents, world.history) as QuotedPaymentIntent;
  const execute = (
    _aggregate: unknown,
    _id: string,
    command: Parameters<typeof paymentIntents.decide>[0],
    context: Parameters<Execute>[3],
  ) => {
    world.commands.push(command.type);
    if (world.failure) return Promise.reject(world.failure);
    const events = paymentIntents.decide(command, stateNow(), context);
    world.history = [...world.history, ...events];
    return Promise.resolve();
  };
  const load = () => {
    world.history = [...world.history, ...(world.rivals.shift() ?? [])];
    return Promise.resolve({ state: stateNow() });
  };
  const screening: Screening = {
    screen: ({ payer }) => {
      world.screened.push(payer);
      world.nowMs += world.costMs;
      const verdict = world.verdicts.get(payer);
      if (!verdict) return Promise.reject(new Error('no answer'));
      return Promise.resolve({ verdict, source: 'test', reference: null });
    },
  };
  const reserve = (request: object) => {
    world.reserved.push(request);
    if (world.noAmount) return Promise.reject(refuse(world.noAmount));
    return Promise.resolve({ amountBaseUnits: 17_000_130n, slot: 1_700_013n, reservedUntilMs: START });
  };
  const clock: Pick<MerchantClocks, 'now' | 'merchantNow'> = {
    now: () => world.nowMs,
    merchantNow: () => Promise.resolve(world.nowMs),
  };
  const log = new RecordingLog();
  const settlement = new Settlement(
    stagedCommands({ execute, load }, clock),
    screening,
    { reserve } as unknown as AmountReservation,
    clock as MerchantClocks,
    log,
    { isOver: (_payment, _state, payer) => Promise.resolve((world.counted.push(payer), world.isOver)) },
  );
  const payment = (id: string) => ({ mode: 'live', id, merchantId: 'mch_1' }) as const;
  const advance = (id = 'pi_1', final: string | null = null): Promise<void> =>
    settlement.advance(payment(id), stateNow(), final === null ? null : (stateNow().ledger.transfers[final] ?? null));
  const screenEarly = (id = 'pi_1'): Promise<void> => settlement.screenEarly(payment(id), stateNow());
  const pauses = () => log.lines.map(({ facts }) => (facts as { readonly retry_in_ms: number }).retry_in_ms);
  const holdRisks = (): Promise<void> => settlement.holdRisks(payment('pi_1'), stateNow());
  const askForRemainder = (): Promise<void> => settlement.askForRemainder(payment('pi_1'), stateNow());
  return { world, stateNow, advance, screenEarly, holdRisks, askForRemainder, pauses };
}

describe('a screening that fails', () => {
  it('is tried again after pauses that double up to a minute, and not before their end', async () => {
    const { world, advance, screenEarly, pauses } = stage(deep);
    for (const pauseMs of [1, 2, 4, 8, 16, 32, 60, 60].map(seconds => seconds * 1_000)) {
      await advance();
      expect(pauses().at(-1)).toBe(pauseMs);
      const { length } = world.screened;
      world.nowMs += pauseMs - 1;
      await advance();
      await screenEarly();
      expect(world.screened).toHaveLength(length);
      world.nowMs += 1;
    }
    expect(world.commands).toStrictEqual([]);
  });

  it('has short pauses again once it has answered', async () => {
    const { world, advance, pauses } = stage(deep);
    await advance();
    world.nowMs += 1_000;
    await advance();
    world.nowMs += 2_000;
    world.verdicts.set(h.PAYER, 'high_risk');
    await advance();
    world.history = [...deep, h.detected('tr_2', '1', h.SECOND_PAYER)];
    await advance();
    expect(pauses()).toStrictEqual([1_000, 2_000, 1_000]);
  });

  it('is let alone for ten seconds by all other payments where it took a second', async () => {
    for (const [costMs, screened] of [
      [999, 2],
      [1_000, 1],
    ] as const) {
      const { world, advance } = stage(deep);
      world.costMs = costMs;
      await advance('pi_1');
      world.nowMs += 9_999;
      await advance('pi_2');
      expect(world.screened).toHaveLength(screened);
      world.nowMs += 1;
      await advance('pi_3');
      expect(world.screened).toHaveLength(screened + 1);
    }
  });

  it('is remembered for ten thousand payments, of which the first is forgotten', async () => {
    const { world, advance } = stage(deep);
    for (let count = 0; count < 10_000; count++) await advance(`pi_${count}`);
    const { length } = world.screened;
    await advance('pi_0');
    expect(world.screened).toHaveLength(length);
    await advance('pi_10000');
    await advance('pi_1');
    expect(world.screened).toHaveLength(length + 1);
    await advance('pi_0');
    expect(world.screened).toHaveLength(length + 2);
  });
});

describe('payers', () => {
  it('who are clear are looked at again before the settlement, and only news is recorded; others are not', async () => {
    const { world, advance } = stage([...deep, h.screened(h.PAYER, 'clear')]);
    world.verdicts.set(h.PAYER, 'clear');
    await advance();
    expect(world.screened).toStrictEqual([h.PAYER]);
    expect(world.commands).toStrictEqual(['settle']);
    for (const since of [[h.screened(h.PAYER, 'high_risk')], [h.screened(h.PAYER, 'high_risk'), h.held, h.released]]) {
      const known = stage([...deep, ...since]);
      await known.advance();
      expect(known.world.screened).toStrictEqual([]);
    }
  });

  it('who are known are not looked at early', async () => {
    const { world, screenEarly } = stage([
      ...unseen,
      h.screened(h.PAYER, 'clear'),
      h.detected('tr_2', '1', h.SECOND_PAYER),
    ]);
    await screenEarly();
    expect(world.screened).toStrictEqual([h.SECOND_PAYER]);
  });

  it('of a high risk are held, and nothing is settled', async () => {
    const { world, advance, stateNow } = stage(deep);
    world.verdicts.set(h.PAYER, 'high_risk');
    await advance();
    expect(world.commands).toStrictEqual(['screen_payer', 'place_hold']);
    expect(stateNow().ledger.hold).toStrictEqual({ status: 'open', payer: h.PAYER });
  });

  it.each<[string, readonly PaymentIntentEvent[]]>([
    ['held', [h.held]],
    ['rejected', [h.held, h.rejected]],
  ])('are let alone where one is %s', async (_name, since) => {
    const history = [...h.HISTORIES.underpaid, h.detected('tr_2', '17000120', h.SECOND_PAYER), ...since];
    const { world, advance, screenEarly } = stage(history);
    await advance('pi_1', 'tr_2');
    await screenEarly();
    expect([...world.screened, ...world.commands]).toStrictEqual([]);
  });
});

describe('a payer of high risk whom nobody has held', () => {
  it('is held, unless that is decided or the payment moved on; any other failure is told', async () => {
    const risky = [...deep, h.screened(h.PAYER, 'high_risk')];
    for (const since of [[h.held, h.released], [h.held, h.rejected], [CONFIRMED]]) {
      const { world, holdRisks } = stage(risky);
      world.rivals = [since];
      await holdRisks();
      expect(world.commands).toStrictEqual([]);
    }
    const { world, holdRisks, stateNow } = stage(risky);
    world.failure = refuse('internal_error');
    await expect(holdRisks()).rejects.toBe(world.failure);
    world.failure = null;
    await holdRisks();
    await holdRisks();
    expect(world.commands).toStrictEqual(Array(2).fill('place_hold'));
    expect(stateNow().ledger.hold?.status).toBe('open');
  });
});

it('a payment that moved on while its payer was screened is no failure of the screening', async () => {
  const { world, advance, pauses } = stage(deep);
  world.verdicts.set(h.PAYER, 'clear');
  world.rivals = [[CONFIRMED]];
  await advance();
  expect([world.screened, world.commands, pauses()]).toStrictEqual([[h.PAYER], [], []]);
});

describe('what has come', () => {
  const short = [h.created, h.selected, h.detected('tr_1', '10000000'), h.confirmation, h.depth('tr_1')];

  it('gets an amount for the remainder where all of it is deep enough, not before', async () => {
    for (const [since, reserved] of [
      [[], 1],
      [[h.detected('tr_2', '1')], 0],
    ] as const) {
      const { world, advance } = stage([...short, ...since]);
      world.verdicts.set(h.PAYER, 'clear');
      await advance();
      expect(world.reserved).toHaveLength(reserved);
    }
  });

  it.each([
    ['no amount is free', 'reservation_capacity_exhausted'],
    ['the index of free amounts is behind', 'provider_unavailable'],
  ] as const)('makes a payment short at once where %s, and asks for the remainder later', async (_, refusal) => {
    const { world, advance, askForRemainder, stateNow, pauses } = stage(short);
    world.verdicts.set(h.PAYER, 'clear');
    world.noAmount = refusal;
    await advance();
    expect([stateNow().status, stateNow().ledger.remainder]).toStrictEqual(['underpaid', null]);
    expect(isFollowed(stateNow())).toBe(true);
    // A full window stays full for a while: the next look waits.
    await askForRemainder();
    expect([world.reserved.length, pauses()]).toStrictEqual([1, [10_000]]);
    for (const pauseMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000]) {
      world.nowMs += pauseMs;
      await askForRemainder();
    }
    expect(pauses().slice(1)).toStrictEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    world.noAmount = null;
    world.nowMs += 300_000;
    await askForRemainder();
    expect(stateNow().ledger.remainder).toMatchObject({ due_base_units: '17000130', slot: '1700013' });
  });

  it('is credited where no amount is free for the part that is missing still', async () => {
    const { world, advance, stateNow } = stage([...h.HISTORIES.underpaid, h.detected('tr_2', '10', h.SECOND_PAYER)]);
    for (const payer of [h.PAYER, h.SECOND_PAYER]) world.verdicts.set(payer, 'clear');
    world.noAmount = 'reservation_capacity_exhausted';
    await advance('pi_1', 'tr_2');
    expect(stateNow().ledger).toMatchObject({ remainder: null, transfers: { tr_2: { final: true } } });
  });

  it.each([
    ['underpaid', 'credit_remainder'],
    ['expired', 'credit_late'],
    ['paid_late', 'credit_late'],
  ] as const)('is credited once where a payment is %s', async (status, command) => {
    const { world, advance } = stage([...h.HISTORIES[status], h.detected('tr_2', '17000120', h.SECOND_PAYER)]);
    for (const payer of [h.PAYER, h.SECOND_PAYER]) world.verdicts.set(payer, 'clear');
    await advance('pi_1', null);
    expect(world.commands).not.toContain(command);
    await advance('pi_1', 'tr_2');
    expect(world.commands.filter(type => type !== 'screen_payer')).toStrictEqual([command]);
  });

  it('waits for the next look where the payment is held or has moved on meanwhile; any other failure is told', async () => {
    const history = [...deep, h.screened(h.PAYER, 'clear')];
    for (const since of [[h.screened(h.PAYER, 'high_risk'), h.held], [CONFIRMED]]) {
      const { world, advance } = stage(history);
      world.verdicts.set(h.PAYER, 'clear');
      world.rivals = [[], since];
      await advance();
      expect([world.rivals, world.commands]).toStrictEqual([[], []]);
    }
    const { world, advance } = stage(history);
    world.verdicts.set(h.PAYER, 'clear');
    for (const failure of [refuse('internal_error'), new Error('broken')]) {
      world.failure = failure;
      await expect(advance()).rejects.toBe(failure);
    }
  });

  it('is asked for anew by the remainder, unless the payment moved on meanwhile', async () => {
    const lacking = [...h.HISTORIES.underpaid, h.dropped('tr_1')];
    const moved = stage(lacking);
    moved.world.rivals = [[CONFIRMED]];
    await moved.askForRemainder();
    expect(moved.world.commands).toStrictEqual([]);
    const { world, askForRemainder, stateNow } = stage(lacking);
    world.failure = refuse('internal_error');
    await expect(askForRemainder()).rejects.toBe(world.failure);
    world.failure = null;
    await askForRemainder();
    expect(stateNow().ledger.remainder).toMatchObject({ due_base_units: '17000130', slot: '1700013' });
    expect(world.reserved[0]).toMatchObject({ priceBaseUnits: 27_000_120n, reservedUntilMs: START + DAY_MS });
    const part = stage(h.HISTORIES.underpaid);
    await part.askForRemainder();
    expect(part.world.reserved[0]).toMatchObject({ priceBaseUnits: 17_000_120n });
    const whole = stage(deep);
    await whole.askForRemainder();
    expect([...whole.world.reserved, ...whole.world.commands]).toStrictEqual([]);
  });
});

describe('a payer who pays often', () => {
  const cleared = () => {
    const staged = stage(deep);
    staged.world.verdicts.set(h.PAYER, 'clear');
    return staged;
  };

  it('is held over the limit, for as long as nobody decides', async () => {
    const { world, advance, stateNow } = cleared();
    world.isOver = true;
    await advance();
    await advance();
    expect(world.commands).toStrictEqual(['screen_payer', 'place_hold']);
    expect(stateNow().ledger.screened[h.PAYER]).toBe('high_risk');
    expect(world.history).toContainEqual({
      type: 'PayerScreened',
      data: { payer: h.PAYER, verdict: 'high_risk', source: 'velocity_limit', reference: 'payer_address' },
    });
    expect(world.counted).toStrictEqual([h.PAYER]);
  });

  it('is counted once for each payment below the limit', async () => {
    const { world, screenEarly, advance } = cleared();
    await screenEarly();
    await advance();
    expect(world.screened).toStrictEqual([h.PAYER, h.PAYER]);
    expect(world.counted).toStrictEqual([h.PAYER]);
    expect(world.commands).toStrictEqual(['screen_payer', 'settle']);
  });

  it('is counted with a further transfer, and held where that is too much', async () => {
    const { world, advance, stateNow } = stage([...deep, h.screened(h.PAYER, 'clear'), h.detected('tr_2', '9000000')]);
    world.verdicts.set(h.PAYER, 'clear');
    world.isOver = true;
    await advance();
    expect(world.commands).toStrictEqual(['screen_payer', 'place_hold']);
    expect(stateNow().ledger.screened[h.PAYER]).toBe('high_risk');
  });
});
