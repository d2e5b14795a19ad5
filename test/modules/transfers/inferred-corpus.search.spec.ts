import { MAX_TOLERANCE_BPS } from '../../../src/modules/merchants/merchant-settings';
import type { Inference } from '../../../src/modules/transfers/inference-facts';
import { judgeInference } from '../../../src/modules/transfers/inferred-credit';
import { searchSize } from '../../levels/search-size';
import { Prng } from '../../simulation/prng';
import {
  CLASSES,
  depositOf,
  factsOf,
  HARD_CLASSES,
  isAloneUnpaid,
  isClear,
  isOfNobody,
  isReserved,
  RESERVED_CLASSES,
  TIMED,
  type Deposit,
  type DepositClass,
} from './inferred-corpus';
import { shopOf, type Shop } from './inferred-shops';

const TRANSFERS = searchSize('INFERRED_TRANSFERS', { small: 1_000, full: 100_000 });
const SEED = 20_261_101;
const TRANSFERS_OF_A_SHOP = 200;
const BPS = 10_000n;
const WALLETS = [
  ['shared', false],
  ['dedicated', true],
] as const;

/** Of the inferred credits on a shared wallet at most so many of a thousand are another's, or nobody's. */
const WRONG_PER_THOUSAND = 1;
/**
 * The least share of the true first mistakes in time with one open payment, and no other due within 2d in 30 days.
 * Open is what the rule calls not paid yet; and the amount is one that the rule takes.
 */
const CLEAR_AT_LEAST = 0.9;
/** The share of all clear first mistakes, where it was measured: most shops have unpaid quotes of the day in range. */
const CLEAR_IN_ANY_SHOP_AT_LEAST = 0.25;
/** Of the quotes that are timed to a block, so few come before its stamp: clocks are that little apart. */
const STAMPED_LATER_AT_MOST = 0.02;
/** Wrong credits of the hard corpus, of a hundred thousand transfers, where they were measured. */
const HARD_WRONG_PER_HUNDRED_THOUSAND = { shared: 100, dedicated: 20 };

type End = 'reserved' | 'credited' | 'queued' | 'wrong';
type Judged = {
  readonly kind: DepositClass;
  readonly baitAfterMs: number | null;
  readonly end: End;
  readonly inference: Inference | null;
  /** A payment of a dedicated wallet becomes confirmed or overpaid by the credit. */
  readonly isSettled: boolean;
  /** The first mistake of the one open payment, in time, with no other due within 2d in 30 days. */
  readonly isClear: boolean;
  /** A clear one, of an amount that the rule takes, with no other unpaid payment of the day that it fits. */
  readonly isAlone: boolean;
};
type Corpora = { readonly listed: readonly Judged[]; readonly hard: readonly Judged[] };

const classesOf = (classes: readonly DepositClass[], isDedicated: boolean): readonly DepositClass[] =>
  classes.filter(kind => !isDedicated || !isOfNobody(kind));

/** Equal shares of the classes of each corpus, at the same shops. */
function judgedAll(isDedicated: boolean): Corpora {
  const prng = new Prng(SEED + Number(isDedicated));
  const listed: Judged[] = [];
  const hard: Judged[] = [];
  let shop: Shop | null = null;
  for (let number = 0; number < TRANSFERS; number++) {
    shop = shop === null || number % TRANSFERS_OF_A_SHOP === 0 ? shopOf(prng, isDedicated) : shop;
    listed.push(judgedNext(classesOf(CLASSES, isDedicated), number, shop, prng));
    hard.push(judgedNext(classesOf(HARD_CLASSES, isDedicated), number, shop, prng));
  }
  return { listed, hard };
}

function judgedNext(classes: readonly DepositClass[], number: number, shop: Shop, prng: Prng): Judged {
  const kind = classes[number % classes.length] as DepositClass;
  return judged(kind, depositOf(kind, shop, prng));
}

function judged(kind: DepositClass, deposit: Deposit): Judged {
  const { baitAfterMs, meant, valueBaseUnits } = deposit;
  const seen = { kind, baitAfterMs };
  if (isReserved(deposit))
    return { ...seen, end: 'reserved', inference: null, isSettled: false, isClear: false, isAlone: false };
  const inference = judgeInference(factsOf(deposit));
  const isCredited = inference.verdict === 'credit';
  const end = isCredited ? (inference.paymentIntent === meant ? 'credited' : 'wrong') : 'queued';
  const due = BigInt(inference.evidence.due_base_units ?? 0);
  const isEnough = valueBaseUnits * BPS >= due * (BPS - BigInt(MAX_TOLERANCE_BPS));
  const isSettled = isCredited && inference.evidence.is_dedicated === true && isEnough;
  const isClearOne = isClear(deposit);
  return { ...seen, end, inference, isSettled, isClear: isClearOne, isAlone: isClearOne && isAloneUnpaid(deposit) };
}

const count = (all: readonly Judged[], end: End): number => all.filter(each => each.end === end).length;
const inferredOf = (all: readonly Judged[]): number => count(all, 'credited') + count(all, 'wrong');
const wrongOf = (all: readonly Judged[]): readonly Judged[] => all.filter(({ end }) => end === 'wrong');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const per = (base: number, part: number, whole: number): number => (whole === 0 ? 0 : (base * part) / whole);
const corpora = { shared: judgedAll(false), dedicated: judgedAll(true) };

function tally(all: readonly Judged[], kind: DepositClass): string {
  const own = all.filter(each => each.kind === kind);
  const [credited, queued, wrong, reserved] = (['credited', 'queued', 'wrong', 'reserved'] as const).map(end =>
    count(own, end),
  );
  return `${kind}: ${credited} credited, ${queued} queued, ${wrong} wrong, ${reserved} met a reservation`;
}

/** One test for each class, which tells in its name how the transfers ended. */
function itEnds(wallet: string, all: readonly Judged[], classes: readonly DepositClass[]): void {
  it.each(classes.map(kind => [tally(all, kind), kind] as const))('%s', (told, kind) => {
    if (process.env.INFERRED_TALLY) console.info(wallet, told);
    const own = all.filter(each => each.kind === kind);
    expect(Math.abs(own.length - TRANSFERS / classes.length)).toBeLessThanOrEqual(1);
    const ends = new Set(own.map(({ end }) => end));
    if (RESERVED_CLASSES.includes(kind)) expect(ends).toEqual(new Set(['reserved']));
    else expect(ends).toContain('queued');
  });
}

function itLiesInReview(all: readonly Judged[]): void {
  it('lie in review, whosever they are', () => {
    for (const { inference } of all.filter(({ end }) => end === 'credited' || end === 'wrong'))
      expect(inference?.evidence.is_dedicated).toBe(false);
  });
}

describe.each(WALLETS)(`${TRANSFERS} transfers with one fault that come to %s wallets`, (wallet, isDedicated) => {
  const all = corpora[wallet].listed;
  const inferred = inferredOf(all);
  const wrong = wrongOf(all);
  itEnds(wallet, all, classesOf(CLASSES, isDedicated));

  it(`are credited by inference in ${percent(inferred, all.length)} of all`, () => {
    expect(inferred).toBeGreaterThan(0);
  });

  const clear = all.filter(each => each.isClear);
  it(`are credited in ${percent(count(clear, 'credited'), clear.length)} of ${clear.length} clear first mistakes`, () => {
    expect(count(clear, 'credited') / clear.length).toBeGreaterThanOrEqual(CLEAR_IN_ANY_SHOP_AT_LEAST);
  });

  const alone = clear.filter(({ isAlone }) => isAlone);
  it(`are credited in ${percent(count(alone, 'credited'), alone.length)} of ${alone.length} with no other unpaid in range`, () => {
    expect(count(alone, 'credited') / alone.length).toBeGreaterThanOrEqual(CLEAR_AT_LEAST);
  });

  const timed = all.filter(({ kind }) => kind === TIMED);
  const stampedLater = timed.filter(({ baitAfterMs }) => baitAfterMs !== null && baitAfterMs <= 0);
  it(`are stamped later than the quotes timed to them in ${stampedLater.length} of ${timed.length} cases`, () => {
    expect(stampedLater.length / timed.length).toBeLessThanOrEqual(STAMPED_LATER_AT_MOST);
  });

  if (isDedicated) {
    const settled = wrong.filter(({ isSettled }) => isSettled);
    it(`are settled by another's money ${settled.length} times of ${inferred} credits`, () => {
      expect(settled).toEqual([]);
    });
  } else {
    it(`are another's or nobody's in ${wrong.length} of ${inferred} credits`, () => {
      expect(per(1_000, wrong.length, inferred)).toBeLessThanOrEqual(WRONG_PER_THOUSAND);
    });
    itLiesInReview(all);
  }
});

/**
 * Nobody can tell by amounts and times that somebody predicted a deposit: his quote and a true mistake look alike. Nor
 * do they tell the mistake of a payer who is late as well. On a shared wallet such a credit lies in review, and only
 * the merchant's word confirms it. On a dedicated wallet the merchant's declaration bears the risk. So these transfers
 * meet no goal: the limit holds their wrong credits where they were measured.
 */
describe.each(WALLETS)(`${TRANSFERS} hard transfers that come to %s wallets`, (wallet, isDedicated) => {
  const all = corpora[wallet].hard;
  const wrong = wrongOf(all);
  const settled = wrong.filter(({ isSettled }) => isSettled);
  itEnds(wallet, all, classesOf(HARD_CLASSES, isDedicated));

  const ended = isDedicated ? `and ${settled.length} settled by it` : 'in review';
  it(`are credited wrongly in ${wrong.length} of ${inferredOf(all)} credits, ${ended}`, () => {
    const limit = HARD_WRONG_PER_HUNDRED_THOUSAND[wallet];
    expect(per(100_000, wrong.length, all.length)).toBeLessThanOrEqual(limit);
  });
  if (!isDedicated) itLiesInReview(all);
});
