import { MINUTE_MS } from '../../../src/kernel/clock';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { beforeFees, transpositions, type UnmatchedFacts } from '../../../src/modules/transfers/candidate-evidence';
import {
  CANDIDATES_KEPT,
  rankCandidates,
  type ExpectedPayment,
  type Surroundings,
} from '../../../src/modules/transfers/candidate-ranking';
import { evidenceInWords } from '../../../src/modules/transfers/api/evidence-words';
import { fiatAsBaseUnits } from '../../../src/modules/quotes/fiat-as-token';
import { priceBaseUnits } from '../../../src/modules/quotes/price';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const token = TOKENS['usdc-base'];
const SENDER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const OTHER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

const payment = (change: Partial<ExpectedPayment> = {}): ExpectedPayment => ({
  paymentIntent: 'pi_1',
  merchantId: 'mch_1',
  state: 'waiting',
  dueBaseUnits: 27_153_040n,
  fiatBaseUnits: 25_000_000n,
  remainderBaseUnits: null,
  quotedAtMs: NOON,
  reservedUntilMs: NOON + 1_455 * MINUTE_MS,
  payer: null,
  ...change,
});
const unmatched = (valueBaseUnits: bigint, afterMs = 4 * MINUTE_MS): UnmatchedFacts => ({
  transferId: 'tr_1',
  from: SENDER,
  valueBaseUnits,
  paidAtMs: NOON + afterMs,
});
const around = (change: Partial<Surroundings> = {}): Surroundings => ({
  token,
  siblings: [],
  knownTo: new Set(),
  named: null,
  ...change,
});
const reasonOf = (value: bigint, change: Partial<ExpectedPayment> = {}, surroundings = around(), afterMs?: number) => {
  const [candidate] = rankCandidates(unmatched(value, afterMs), [payment(change)], surroundings);
  return candidate ? evidenceInWords(token, candidate.evidence) : null;
};

describe('the reason for a candidate, in plain words', () => {
  it.each<[bigint, string]>([
    [27_150_000n, 'The amount asked for, cut or rounded to 2 decimals; paid 4 minutes after the quote.'],
    [27_200_000n, 'The amount asked for, cut or rounded to 1 decimal; paid 4 minutes after the quote.'],
    [27_000_000n, 'The amount asked for, cut or rounded to a whole number; paid 4 minutes after the quote.'],
    [26_153_040n, 'Short by 1, which exchanges take off a withdrawal; paid 4 minutes after the quote.'],
    [26_350_000n, 'Short by 0.8, which exchanges take off a withdrawal, and rounded; paid 4 minutes after the quote.'],
    [25_000_000n, 'The price in the currency of the payment, paid in token units; paid 4 minutes after the quote.'],
    [27_513_040n, 'Two neighbouring digits of the amount asked for are swapped; paid 4 minutes after the quote.'],
    [26_913_040n, 'Short by 0.24, as after a small deduction; paid 4 minutes after the quote.'],
    [27_193_050n, '0.04001 more than asked for; paid 4 minutes after the quote.'],
    [27_153_040n, 'Exactly the amount asked for; paid 4 minutes after the quote.'],
  ])('%s of 27.153040', (value, reason) => {
    expect(reasonOf(value)).toBe(reason);
  });

  it('says with whom it makes up the amount', () => {
    const part = (from: string) => ({ ...unmatched(7_153_040n), transferId: 'tr_2', from });
    const together = (from: string) => reasonOf(20_000_000n, {}, around({ siblings: [part(from)] }));
    expect(together(SENDER)).toContain('Together with tr_2, of the same sender, the amount asked for');
    expect(together(OTHER)).toContain('Together with tr_2, of another sender, the amount asked for');
  });

  it('says when it came, who sent it and how the payment stands', () => {
    expect(reasonOf(27_153_040n, {}, around(), -MINUTE_MS)).toContain('paid 60 seconds before the quote');
    expect(reasonOf(27_153_040n, {}, around(), 1_500 * MINUTE_MS)).toContain('45 minutes after the last moment for it');
    expect(reasonOf(27_150_000n, { payer: SENDER })).toContain('from the sender of its first transfer');
    expect(reasonOf(27_150_000n, {}, around({ knownTo: new Set(['mch_1']) }))).toContain(
      'has paid this merchant before',
    );
    expect(reasonOf(27_150_000n, { state: 'paid' })).toContain('a transfer has reached already');
    expect(reasonOf(2_150_000n, { remainderBaseUnits: 2_153_040n })).toContain('to 2 decimals for the remainder');
  });

  it('is none where only chance connects the two', () => {
    expect(reasonOf(900_000_000n)).toBeNull();
    expect(
      reasonOf(900_000_000n, {}, around({ named: { paymentIntent: 'pi_1', reason: 'credit_refused' } })),
    ).toContain('could not take it any more');
  });
});

describe('the order of candidates', () => {
  const order = (value: bigint, payments: readonly ExpectedPayment[], surroundings = around()) =>
    rankCandidates(unmatched(value), payments, surroundings).map(({ payment_intent }) => payment_intent);
  const other = (change: Partial<ExpectedPayment>) => payment({ paymentIntent: 'pi_2', ...change });

  it('prefers the amount that a mistake explains to one that is merely near', () => {
    expect(order(27_150_000n, [other({ dueBaseUnits: 27_149_000n }), payment()])).toStrictEqual(['pi_1', 'pi_2']);
  });

  it('prefers who waits, the later quote and the known payer', () => {
    expect(order(27_150_000n, [other({ state: 'paid' }), payment()])[0]).toBe('pi_1');
    expect(order(27_150_000n, [other({ quotedAtMs: NOON - 9 * MINUTE_MS }), payment()])[0]).toBe('pi_1');
    expect(order(27_150_000n, [payment(), other({ payer: SENDER })])[0]).toBe('pi_2');
  });

  it('begins with the payment whose claim failed', () => {
    expect(
      order(
        27_150_000n,
        [payment(), other({ state: 'paid' })],
        around({ named: { paymentIntent: 'pi_2', reason: 'credit_refused' } }),
      )[0],
    ).toBe('pi_2');
  });

  it('has no payment that was canceled or has failed, not even the one that the queue’s entry names', () => {
    const named = { paymentIntent: 'pi_2', reason: 'credit_refused' } as const;
    expect(order(27_153_040n, [payment(), other({ state: 'ended' })], around({ named }))).toStrictEqual(['pi_1']);
  });

  it('keeps ten, in an order that is the same each time', () => {
    const many = Array.from({ length: 40 }, (_, index) => payment({ paymentIntent: `pi_${index + 100}` }));
    const kept = order(27_150_000n, many);
    expect(kept).toHaveLength(CANDIDATES_KEPT);
    expect(order(27_150_000n, [...many].reverse())).toStrictEqual(kept);
  });
});

describe('the amounts that are looked up', () => {
  it('are those a swap of two digits leads to', () => {
    expect(transpositions(token, 27_153_040n)).toEqual(expect.arrayContaining([72_153_040n, 21_753_040n, 27_513_040n]));
  });

  it('are those that a common fee leaves the value of', () => {
    expect(beforeFees(token, 26_153_040n)).toEqual(expect.arrayContaining([27_153_040n, 26_953_040n, 26_453_040n]));
  });

  it.each<[bigint, number, string, bigint]>([
    [2_500n, 2, '1.0861216', 25_000_000n],
    [1_999n, 2, '0.2723', 19_990_000n],
    [700n, 0, '0.0066', 700_000_000n],
    [12_345n, 3, '3.25', 12_345_000n],
  ])('are the fiat figure %s to %d decimals at %s, read off the price', (minor, decimals, rate, figure) => {
    const price = priceBaseUnits(minor, decimals, rate, token.decimals);
    expect(fiatAsBaseUnits(price, rate, token.decimals)).toBe(figure);
  });
});
