import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { LogPosition } from '../../../src/kernel/log-position';
import {
  INFERENCE_REFUSALS,
  type InferenceFacts,
  type InferenceLook,
  type PaymentThere,
} from '../../../src/modules/transfers/inference-facts';
import { judgeInference, rangeOfLastDay, rangeOfLastMonth } from '../../../src/modules/transfers/inferred-credit';
import { TOKENS } from '../../../src/vocabulary/tokens';

const token = TOKENS['usdc-base'];
const TOLERANCE = token.attributionToleranceBaseUnits;
const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const QUOTE_MS = 15 * MINUTE_MS;
const WINDOW_MS = DAY_MS + QUOTE_MS;
const DUE = 100_000_000n;
/** A transfer so little short that only dues beside it are within twice the distance. */
const JUST_SHORT = DUE - TOLERANCE - 1n;

const position = (at: number) => at as LogPosition;
const quotedAt = (quotedAtMs: number) => ({
  quotedAtMs,
  quoteExpiresAtMs: quotedAtMs + QUOTE_MS,
  reservedUntilMs: quotedAtMs + WINDOW_MS,
});
const meant = (change: Partial<PaymentThere> = {}): PaymentThere => ({
  paymentIntent: 'pi_meant',
  merchantId: 'mch_1',
  standing: 'awaiting',
  dueBaseUnits: DUE,
  remainderBaseUnits: null,
  ...quotedAt(NOON - 4 * MINUTE_MS),
  leftAtMs: null,
  hasInferredCredit: false,
  isDedicated: false,
  ...change,
});
/** A payment of the last day whose quote has ended, with an amount that has nothing to do with the transfer. */
const other = (change: Partial<PaymentThere> = {}): PaymentThere =>
  meant({ paymentIntent: 'pi_other', dueBaseUnits: 1_000_000_000n, ...quotedAt(NOON - 60 * MINUTE_MS), ...change });
const look = (change: Partial<InferenceLook> = {}): InferenceLook => ({
  isGapless: true,
  indexPosition: position(70),
  headPosition: position(70),
  isCrowded: false,
  ...change,
});
const facts = (change: Partial<InferenceFacts> = {}): InferenceFacts => ({
  token,
  address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  valueBaseUnits: JUST_SHORT,
  blockTimeMs: NOON,
  blockHash: '0xb1',
  clockAheadMs: 0,
  merchants: ['mch_1'],
  payments: [meant()],
  look: look(),
  ...change,
});
const verdictOf = (change: Partial<InferenceFacts> = {}) => {
  const judged = judgeInference(facts(change));
  return judged.verdict === 'credit' ? judged.paymentIntent : judged.refusal;
};
const withValue = (valueBaseUnits: bigint, change: Partial<PaymentThere> = {}) =>
  verdictOf({ valueBaseUnits, payments: [meant(change)] });
const beside = (change: Partial<PaymentThere>, valueBaseUnits = JUST_SHORT) =>
  verdictOf({ valueBaseUnits, payments: [other(change), meant()] });

describe('a transfer that met no reservation', () => {
  it('is credited to the one payment that awaits it', () => {
    expect(verdictOf()).toBe('pi_meant');
    expect(beside({})).toBe('pi_meant');
  });

  it.each<[string, Partial<InferenceLook>, string]>([
    ['with blocks before it that were not read', { isGapless: false }, 'not_gapless'],
    ['by an index behind the head', { indexPosition: position(69) }, 'index_behind'],
    ['by an index ahead of the head that was read', { indexPosition: position(71) }, 'pi_meant'],
    ['by a read that met its limit', { isCrowded: true }, 'look_crowded'],
  ])('is judged %s', (_, change, verdict) => {
    expect(verdictOf({ look: look(change) })).toBe(verdict);
  });

  it.each<[string, Partial<InferenceFacts>, string]>([
    ['nobody', { merchants: [] }, 'not_one_merchant'],
    ['one merchant with two wallets', { merchants: ['mch_1', 'mch_1'] }, 'pi_meant'],
    ['two merchants', { merchants: ['mch_1', 'mch_2'] }, 'not_one_merchant'],
    ['another merchant than the one who is paid', { merchants: ['mch_2'] }, 'not_one_merchant'],
    [
      'a merchant now, where another one was paid',
      { payments: [meant(), other({ merchantId: 'mch_2' })] },
      'not_one_merchant',
    ],
  ])('at an address of %s', (_, change, verdict) => {
    expect(verdictOf(change)).toBe(verdict);
  });
});

describe('the one payment that was awaiting', () => {
  const awaiting = (change: Partial<PaymentThere>) => verdictOf({ payments: [meant(change)] });

  it('was quoted at or before the block, without allowance for skew', () => {
    expect(awaiting({ quotedAtMs: NOON })).toBe('pi_meant');
    expect(awaiting({ quotedAtMs: NOON + 1 })).toBe('none_awaiting');
  });

  it('had its quote open at the block', () => {
    expect(awaiting({ quoteExpiresAtMs: NOON })).toBe('pi_meant');
    expect(awaiting({ quoteExpiresAtMs: NOON - 1 })).toBe('none_awaiting');
  });

  it.each(['under_way', 'short', 'paid', 'ended'] as const)('had not become %s by then, nor since', standing => {
    expect(awaiting({ standing, leftAtMs: NOON })).toBe('none_awaiting');
    expect(awaiting({ standing, leftAtMs: NOON + 1 })).toBe('no_longer_awaiting');
  });

  it('is the only one, whatever the others ask for, and whatever became of them since', () => {
    const open = quotedAt(NOON - MINUTE_MS);
    expect(beside(open)).toBe('several_awaiting');
    expect(beside({ ...open, standing: 'paid', leftAtMs: NOON + 1 })).toBe('several_awaiting');
    expect(beside({ ...open, standing: 'paid', leftAtMs: NOON })).toBe('pi_meant');
    expect(verdictOf({ payments: [] })).toBe('none_awaiting');
  });

  it('has no inferred credit yet', () => {
    expect(awaiting({ hasInferredCredit: true })).toBe('has_inferred_credit');
  });
});

describe('the amount', () => {
  it('is from one half of what is due to just below it', () => {
    expect(withValue(DUE / 2n)).toBe('pi_meant');
    expect(withValue(DUE / 2n - 1n)).toBe('below_half');
    expect(withValue(DUE / 2n, { dueBaseUnits: DUE + 1n })).toBe('below_half');
    expect(withValue(DUE - TOLERANCE - 1n)).toBe('pi_meant');
    expect(withValue(DUE - TOLERANCE)).toBe('exact_amount');
    expect(withValue(DUE)).toBe('exact_amount');
    expect(withValue(DUE + TOLERANCE)).toBe('exact_amount');
    expect(withValue(DUE + TOLERANCE + 1n)).toBe('not_below_due');
  });

  it('is up to 1.01 of what is due on a dedicated wallet', () => {
    const onDedicated = (value: bigint) => withValue(value, { isDedicated: true });
    expect(onDedicated(DUE / 2n)).toBe('pi_meant');
    expect(onDedicated(DUE / 2n - 1n)).toBe('below_half');
    expect(onDedicated(DUE + TOLERANCE)).toBe('exact_amount');
    expect(onDedicated(DUE + TOLERANCE + 1n)).toBe('pi_meant');
    expect(onDedicated((DUE * 101n) / 100n)).toBe('pi_meant');
    expect(onDedicated((DUE * 101n) / 100n + 1n)).toBe('above_allowance');
  });
});

describe('another reservation of the last 24 hours', () => {
  const lowest = (JUST_SHORT * 100n + 100n) / 101n;
  const highest = JUST_SHORT * 2n;

  it.each(['awaiting', 'under_way', 'short', 'ended'] as const)('refuses the credit while it is %s', standing => {
    const leftAtMs = standing === 'awaiting' ? null : NOON - 50 * MINUTE_MS;
    expect(beside({ standing, leftAtMs, dueBaseUnits: DUE + DUE / 2n })).toBe('another_unpaid_in_range');
  });

  it('lets the credit be once it is paid', () => {
    expect(beside({ standing: 'paid', leftAtMs: NOON - MINUTE_MS, dueBaseUnits: DUE + DUE / 2n })).toBe('pi_meant');
  });

  it.each([highest, lowest])('refuses it where the amount is from one half to 1.01 of its due: %s', dueBaseUnits => {
    expect(beside({ dueBaseUnits })).toBe('another_unpaid_in_range');
  });

  it.each([highest + 1n, lowest - 1n])('lets it be beyond that: %s', dueBaseUnits => {
    expect(beside({ dueBaseUnits })).toBe('pi_meant');
  });

  it('counts by its remainder as well', () => {
    const short = { standing: 'short', leftAtMs: NOON - 50 * MINUTE_MS } as const;
    expect(beside({ ...short, remainderBaseUnits: highest })).toBe('another_unpaid_in_range');
    expect(beside({ ...short, remainderBaseUnits: highest + 1n })).toBe('pi_meant');
  });

  it.each<[string, number, number, string]>([
    ['24 hours ago', NOON - DAY_MS, NOON - 1, 'another_unpaid_in_range'],
    ['longer ago', NOON - DAY_MS - 1, NOON - 1, 'pi_meant'],
    ['longer ago, and still reserved', NOON - 9 * DAY_MS, NOON, 'another_unpaid_in_range'],
    ['ten minutes after the block', NOON + 10 * MINUTE_MS, NOON + DAY_MS, 'another_unpaid_in_range'],
    ['later', NOON + 10 * MINUTE_MS + 1, NOON + DAY_MS, 'pi_meant'],
  ])('is looked at where it was quoted %s', (_, quotedAtMs, reservedUntilMs, verdict) => {
    const quoteExpiresAtMs = quotedAtMs + QUOTE_MS;
    expect(beside({ dueBaseUnits: highest, quotedAtMs, quoteExpiresAtMs, reservedUntilMs })).toBe(verdict);
  });
});

describe('another payment of the last 30 days', () => {
  const value = DUE - 1_000_000n;
  const reach = 2_000_000n;
  const paid = (change: Partial<PaymentThere>) =>
    beside({ standing: 'paid', leftAtMs: NOON - 50 * MINUTE_MS, ...change }, value);

  it.each([value - reach, value, value + reach])('refuses the credit where its due was near: %s', dueBaseUnits => {
    expect(paid({ dueBaseUnits })).toBe('another_due_near');
  });

  it.each([value - reach - 1n, value + reach + 1n])('lets it be beyond that: %s', dueBaseUnits => {
    expect(paid({ dueBaseUnits })).toBe('pi_meant');
  });

  it('counts by its remainder as well', () => {
    expect(paid({ remainderBaseUnits: value - reach })).toBe('another_due_near');
    expect(paid({ remainderBaseUnits: value - reach - 1n })).toBe('pi_meant');
  });

  it('is looked at where it was quoted within that time', () => {
    const near = { dueBaseUnits: value + reach };
    expect(paid({ ...near, ...quotedAt(NOON - 30 * DAY_MS) })).toBe('another_due_near');
    expect(paid({ ...near, ...quotedAt(NOON - 30 * DAY_MS - 1) })).toBe('pi_meant');
    expect(paid({ ...near, ...quotedAt(NOON + 10 * MINUTE_MS) })).toBe('another_due_near');
    expect(paid({ ...near, ...quotedAt(NOON + 10 * MINUTE_MS + 1) })).toBe('pi_meant');
  });
});

describe('the clauses', () => {
  it('are told in their order: each refusal hides those that come after it', () => {
    const inferred = { ...quotedAt(NOON - MINUTE_MS), hasInferredCredit: true };
    const inTheWay = other({ dueBaseUnits: JUST_SHORT + 1n });
    const steps: readonly Partial<InferenceFacts>[] = [
      { look: look({ isGapless: false, indexPosition: position(1), isCrowded: true }) },
      { look: look({ indexPosition: position(1), isCrowded: true }) },
      { look: look({ isCrowded: true }) },
      { look: look() },
      { merchants: ['mch_1'], payments: [inTheWay] },
      { payments: [meant(inferred), other(inferred), inTheWay] },
      { payments: [meant({ ...inferred, standing: 'ended', leftAtMs: NOON + 1 }), inTheWay] },
      { payments: [meant(inferred), inTheWay] },
      { payments: [meant(), inTheWay], valueBaseUnits: DUE },
      { valueBaseUnits: JUST_SHORT },
      { payments: [meant(), { ...inTheWay, standing: 'paid', leftAtMs: NOON - 1 }] },
      { payments: [meant()] },
    ];
    let now: Partial<InferenceFacts> = { merchants: ['mch_1', 'mch_2'], valueBaseUnits: JUST_SHORT };
    const told = steps.map(step => verdictOf((now = { ...now, ...step })));
    expect(told).toStrictEqual([
      ...INFERENCE_REFUSALS.slice(0, INFERENCE_REFUSALS.indexOf('below_half')),
      'another_unpaid_in_range',
      'another_due_near',
      'pi_meant',
    ]);
  });
});

describe('the evidence', () => {
  const nearby = other({ standing: 'short', leftAtMs: NOON - 1, dueBaseUnits: DUE * 3n, remainderBaseUnits: DUE * 2n });

  it('says which payment, its due and distance, the others, and the place of the index', () => {
    const judged = judgeInference(facts({ valueBaseUnits: DUE - 1_000_000n, payments: [other(), nearby, meant()] }));
    const evidence = {
      refusal: null,
      address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      payment_intent: 'pi_meant',
      due_base_units: '100000000',
      value_base_units: '99000000',
      distance_base_units: '1000000',
      quoted_at: '2026-11-01T11:56:00.000Z',
      quote_expires_at: '2026-11-01T12:11:00.000Z',
      block_time: '2026-11-01T12:00:00.000Z',
      clock_ahead_ms: 0,
      block_hash: '0xb1',
      is_dedicated: false,
      index_position: '70',
      last_day_count: 2,
      last_month_count: 2,
      others: [
        {
          payment_intent: 'pi_other',
          due_base_units: '300000000',
          remainder_base_units: '200000000',
          distance_base_units: '101000000',
          quoted_at: '2026-11-01T11:00:00.000Z',
          quote_expires_at: '2026-11-01T11:15:00.000Z',
          reserved_until: '2026-11-02T11:15:00.000Z',
          left_at: '2026-11-01T11:59:59.999Z',
          standing: 'short',
        },
        {
          payment_intent: 'pi_other',
          due_base_units: '1000000000',
          remainder_base_units: null,
          distance_base_units: '901000000',
          quoted_at: '2026-11-01T11:00:00.000Z',
          quote_expires_at: '2026-11-01T11:15:00.000Z',
          reserved_until: '2026-11-02T11:15:00.000Z',
          left_at: null,
          standing: 'awaiting',
        },
      ],
    };
    expect(judged).toStrictEqual({
      verdict: 'credit',
      paymentIntent: 'pi_meant',
      evidence,
    });
    expect(JSON.parse(JSON.stringify(evidence))).toStrictEqual(judged.evidence);
  });

  it('names the clause of a refusal, and the payment where the rule had come to one', () => {
    expect(judgeInference(facts({ valueBaseUnits: 1n })).evidence).toMatchObject({
      refusal: 'below_half',
      payment_intent: 'pi_meant',
    });
    expect(judgeInference(facts({ payments: [] })).evidence).toMatchObject({
      refusal: 'none_awaiting',
      payment_intent: null,
      due_base_units: null,
      distance_base_units: null,
      quoted_at: null,
      is_dedicated: null,
    });
  });

  it('keeps the ten nearest others, in an order that is the same each time', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      other({ paymentIntent: `pi_${10 + index}`, dueBaseUnits: 900_000_000n + BigInt(index % 2) }),
    );
    const [one, same] = [many, [...many].reverse()].map(
      payments => judgeInference(facts({ payments: [...payments, meant()] })).evidence,
    );
    expect(one).toStrictEqual(same);
    expect(one?.last_day_count).toBe(12);
    expect(one?.others.map(({ payment_intent }) => payment_intent)).toStrictEqual(
      ['10', '12', '14', '16', '18', '20', '11', '13', '15', '17'].map(number => `pi_${number}`),
    );
  });
});

describe('the ranges to read', () => {
  it.each([1n, 2n, 100n, 101n, 102n, JUST_SHORT])('of the last day hold each due that may refuse %s', value => {
    const { from, to } = rangeOfLastDay(value);
    const isInRange = (due: bigint) => value * 2n >= due && value * 100n <= due * 101n;
    expect([from - 1n, from, to, to + 1n].map(isInRange)).toStrictEqual([false, true, true, false]);
  });

  it('of the last month hold each due within twice the distance', () => {
    const range = rangeOfLastMonth(facts({ valueBaseUnits: DUE - 1_000_000n }));
    expect(range).toStrictEqual({ from: DUE - 3_000_000n, to: DUE + 1_000_000n });
    expect(rangeOfLastMonth(facts({ valueBaseUnits: DUE / 2n }))).toStrictEqual({ from: 0n, to: DUE + DUE / 2n });
  });

  it('of the last month are not asked for where another clause refuses', () => {
    expect(rangeOfLastMonth(facts({ payments: [] }))).toBeNull();
    expect(rangeOfLastMonth(facts({ valueBaseUnits: 1n }))).toBeNull();
  });
});
