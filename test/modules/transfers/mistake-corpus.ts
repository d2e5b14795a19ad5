import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { TOKENS, type Token } from '../../../src/vocabulary/tokens';
import type { ExpectedPayment } from '../../../src/modules/transfers/candidate-ranking';
import type { UnmatchedFacts } from '../../../src/modules/transfers/candidate-evidence';
import { gridWindow } from '../../../src/modules/quotes/amount-grid';
import { priceBaseUnits } from '../../../src/modules/quotes/price';
import type { Prng } from '../../simulation/prng';

/** One unmatched transfer with every payment that was open on its address, and the payment that its sender meant. */
export type Mishap = {
  readonly kind: string;
  readonly token: Token;
  readonly unmatched: UnmatchedFacts;
  readonly siblings: readonly UnmatchedFacts[];
  readonly payments: readonly ExpectedPayment[];
  readonly meant: string;
};

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const WINDOW_MS = DAY_MS + 15 * MINUTE_MS;
/** Prices in minor units: a few plans that many buy, or any basket. */
const PLANS = [499, 999, 1499, 1900, 2900, 4900, 9900];
/** Token units for one major unit: of USD, of EUR, and of a currency with small units. */
const RATES = ['1.0004', '1.0861216', '1.2743', '0.2723'];
/** The fees that exchanges name for a withdrawal, in hundredths of a token. */
const PUBLISHED_FEES = [100, 80, 30, 100, 100, 50, 20];

type Shop = { readonly token: Token; readonly rate: string; readonly plans: boolean };

type Send = (due: bigint, shop: Shop, prng: Prng) => bigint;

/**
 * Mistakes as payers make them; the weight is how many of a hundred do. Each turns the amount due into the amount sent.
 */
const MISTAKES: readonly (readonly [kind: string, weight: number, send: Send])[] = [
  ['two decimals, cut', 18, (due, { token }) => cut(due, token, 2)],
  ['two decimals, rounded up', 6, (due, { token }) => cut(due, token, 2) + grain(token, 2)],
  ['one decimal', 5, (due, { token }) => cut(due, token, 1)],
  ['whole number', 6, (due, { token }) => cut(due, token, 0)],
  ['four decimals', 5, (due, { token }) => cut(due, token, 4)],
  ['published fee', 18, (due, { token }, prng) => due - BigInt(prng.pick(PUBLISHED_FEES)) * grain(token, 2)],
  ['unknown small fee', 12, (due, { token }, prng) => due - BigInt(1 + prng.below(2_400)) * grain(token, 3)],
  ['two decimals less a fee', 4, (due, { token }, prng) => cut(due - BigInt(prng.pick(PUBLISHED_FEES)) * grain(token, 2), token, 2)],
  ['swapped digits', 8, (due, { token }, prng) => swapDigits(due, token, prng)],
  ['price taken for token units', 8, (due, shop) => asFiatFigure(due, shop)],
  ['in two parts', 7, (due, { token }, prng) => cut((due * BigInt(20 + prng.below(60))) / 100n, token, prng.below(3))],
  ['exact, after its time', 3, due => due],
]; // prettier-ignore

function grain(token: Token, decimals: number): bigint {
  return 10n ** BigInt(token.decimals - decimals);
}

function cut(due: bigint, token: Token, decimals: number): bigint {
  return due - (due % grain(token, decimals));
}

/** A payer types the amount off a screen and swaps two digits beside each other that differ. */
function swapDigits(due: bigint, token: Token, prng: Prng): bigint {
  const shown = token.id === 'usdt-bnb' ? 6 : 5;
  const digits = [...String(due / grain(token, shown))];
  for (;;) {
    const place = prng.below(digits.length - 1);
    const [left, right] = [digits[place], digits[place + 1]] as [string, string];
    if (left === right || (place === 0 && right === '0')) continue;
    const typed = [...digits.slice(0, place), right, left, ...digits.slice(place + 2)].join('');
    return BigInt(typed) * grain(token, shown);
  }
}

const figures = new Map<bigint, bigint>();

function asFiatFigure(due: bigint, { token }: Shop): bigint {
  return (figures.get(due) as bigint) * grain(token, 2);
}

export function mishap(prng: Prng, number: number): Mishap {
  const token = prng.pick([TOKENS['usdc-base'], TOKENS['usdt-tron'], TOKENS['usdt-bnb']]);
  const shop: Shop = { token, rate: prng.pick(RATES), plans: prng.chance(30) };
  const now = NOON + number * HOUR_MS;
  figures.clear();
  const ticket = prng.below(MISTAKES.reduce((sum, [, weight]) => sum + weight, 0));
  let passed = 0;
  const [kind, , send] = MISTAKES.find(([, weight]) => (passed += weight) > ticket) as (typeof MISTAKES)[number];
  const isLate = kind === 'exact, after its time';
  const delayMs = isLate ? WINDOW_MS + prng.below(20 * HOUR_MS) : payingDelayMs(prng);
  const meant = expected(`pi_meant_${number}`, shop, now - delayMs, 'waiting', prng);
  const others = Array.from({ length: crowd(prng) }, (_, index) => {
    const quotedAtMs = now - prng.below(WINDOW_MS + 6 * HOUR_MS);
    const isOpen = now - quotedAtMs < 15 * MINUTE_MS;
    const state = prng.chance(isOpen ? 35 : 72) ? 'paid' : prng.chance(15) ? 'ended' : 'waiting';
    return expected(`pi_${number}_${index}`, shop, quotedAtMs, state, prng);
  });
  const sender = `0x${number.toString(16).padStart(40, '0')}`;
  const value = send(meant.dueBaseUnits, shop, prng);
  const unmatched = { transferId: 'tr_unmatched', from: sender, valueBaseUnits: value, paidAtMs: now };
  const siblings = Array.from({ length: prng.below(4) }, (_, index) => ({
    transferId: `tr_${index}`,
    from: `0x${String(index).padStart(40, 'f')}`,
    valueBaseUnits: BigInt(1 + prng.below(20_000)) * grain(token, 2),
    paidAtMs: now - prng.below(DAY_MS),
  }));
  if (kind === 'in two parts') {
    const from = prng.chance(70) ? sender : `0x${'e'.repeat(40)}`;
    const remainder = meant.dueBaseUnits - value;
    siblings.push({
      transferId: 'tr_part',
      from,
      valueBaseUnits: remainder,
      paidAtMs: now - prng.below(10 * MINUTE_MS),
    });
  }
  const payments = [...others, meant].sort((one, other) => other.quotedAtMs - one.quotedAtMs);
  return { kind, token, unmatched, siblings, payments, meant: meant.paymentIntent };
}

/** Most shops have a handful of payments under way in a day, some of them hundreds. */
function crowd(prng: Prng): number {
  return Math.floor(2 ** (prng.below(950) / 100));
}

/** A minute or four for most, up to the end of the quote for some, hours for a few. */
function payingDelayMs(prng: Prng): number {
  if (prng.chance(8)) return 15 * MINUTE_MS + prng.below(20 * HOUR_MS);
  if (prng.chance(25)) return prng.below(15 * MINUTE_MS);
  return 20_000 + prng.below(5 * MINUTE_MS);
}

function expected(
  paymentIntent: string,
  { token, rate, plans }: Shop,
  quotedAtMs: number,
  state: ExpectedPayment['state'],
  prng: Prng,
): ExpectedPayment {
  for (;;) {
    const minorUnits = plans ? prng.pick(PLANS) : 300 + prng.below(40_000);
    // A rate moves a little all day.
    const drifted = `${rate.slice(0, -1)}${prng.below(9) + 1}`;
    const price = priceBaseUnits(BigInt(minorUnits), 2, drifted, token.decimals);
    const { first, count } = gridWindow(token, price);
    const dueBaseUnits = (first + BigInt(prng.below(count))) * token.stepBaseUnits;
    // An amount is reserved once.
    if (figures.has(dueBaseUnits)) continue;
    figures.set(dueBaseUnits, BigInt(minorUnits));
    return {
      paymentIntent,
      merchantId: 'mch_1',
      state,
      dueBaseUnits,
      fiatBaseUnits: BigInt(minorUnits) * grain(token, 2),
      remainderBaseUnits: null,
      quotedAtMs,
      reservedUntilMs: quotedAtMs + WINDOW_MS,
      payer: state === 'paid' ? `0x${String(prng.below(1_000_000)).padStart(40, 'a')}` : null,
    };
  }
}
