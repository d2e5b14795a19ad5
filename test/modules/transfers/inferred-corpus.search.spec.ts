import { MAX_TOLERANCE_BPS } from '../../../src/modules/merchants/merchant-settings';
import type { Inference } from '../../../src/modules/transfers/inference-facts';
import { judgeInference } from '../../../src/modules/transfers/inferred-credit';
import { searchSize } from '../../levels/search-size';
import { Prng } from '../../simulation/prng';
import {
  CLASSES,
  depositOf,
  factsOf,
  isAloneWithin2d,
  isReserved,
  NO_CUSTOMERS,
  TIMED,
  type Deposit,
  type DepositClass,
} from './inferred-corpus';
import { shopOf, type Shop } from './inferred-shops';

const TRANSFERS = searchSize('INFERRED_TRANSFERS', { small: 1_000, full: 100_000 });
const SEED = 20_261_101;
const TRANSFERS_OF_A_SHOP = 200;
const BPS = 10_000n;
/** The goal for a shared wallet: of the inferred credits at most so many of a thousand are another's. */
const ANOTHERS_PER_THOUSAND = 1;
/**
 * The goal includes money that was meant for no payment, and quotes that somebody times to money that comes. No amount
 * tells these from a customer's money: they lie in review, and this limit holds them where they were measured.
 */
const NOBODYS_PER_THOUSAND = 60;
/**
 * The goal for a dedicated wallet is none. Two quotes of one price differ by their unique part alone, so a rounded
 * amount fits both. This limit holds such credits where they were measured.
 */
const SETTLED_WRONGLY_PER_THOUSAND = 15;
/** The goal for clear first mistakes. The goal holds where no clause on unpaid payments or on the amount refuses. */
const CLEAR_AT_LEAST = 0.9;
/** The share of all clear first mistakes, where it was measured: most shops have unpaid quotes of the day in range. */
const CLEAR_IN_ANY_SHOP_AT_LEAST = 0.25;
const OF_RANGES = ['another_unpaid_in_range', 'below_half', 'not_below_due', 'above_allowance'];

type End = 'reserved' | 'credited' | 'queued' | 'wrong';
type Judged = {
  readonly kind: DepositClass;
  readonly end: End;
  readonly inference: Inference | null;
  /** A payment of a dedicated wallet becomes confirmed or overpaid by the credit. */
  readonly isSettled: boolean;
  /** The first mistake of the one open payment, in time, with no other due within 2d in 30 days. */
  readonly isClear: boolean;
};

const classesOf = (isDedicated: boolean): readonly DepositClass[] =>
  CLASSES.filter(kind => !isDedicated || !isOf(NO_CUSTOMERS, kind));
const isOf = (classes: readonly DepositClass[], kind: DepositClass): boolean => classes.includes(kind);

/** Equal shares of the classes. */
function judgedAll(isDedicated: boolean): readonly Judged[] {
  const prng = new Prng(SEED + Number(isDedicated));
  const classes = classesOf(isDedicated);
  let shop: Shop | null = null;
  return Array.from({ length: TRANSFERS }, (_, number) => {
    shop = shop === null || number % TRANSFERS_OF_A_SHOP === 0 ? shopOf(prng, isDedicated) : shop;
    const kind = classes[number % classes.length] as DepositClass;
    return judged(kind, depositOf(kind, shop, prng));
  });
}

function judged(kind: DepositClass, deposit: Deposit): Judged {
  if (isReserved(deposit)) return { kind, end: 'reserved', inference: null, isSettled: false, isClear: false };
  const inference = judgeInference(factsOf(deposit));
  const isCredited = inference.verdict === 'credit';
  const end = isCredited ? (inference.paymentIntent === deposit.meant ? 'credited' : 'wrong') : 'queued';
  const due = BigInt(inference.evidence.due_base_units ?? 0);
  const isEnough = deposit.valueBaseUnits * BPS >= due * (BPS - BigInt(MAX_TOLERANCE_BPS));
  const isSettled = isCredited && inference.evidence.is_dedicated === true && isEnough;
  const isClear = deposit.isFirstInTime && deposit.open === 1 && isAloneWithin2d(deposit);
  return { kind, end, inference, isSettled, isClear };
}

const count = (all: readonly Judged[], end: End): number => all.filter(each => each.end === end).length;
const inferredOf = (all: readonly Judged[]): number => count(all, 'credited') + count(all, 'wrong');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const perThousand = (part: number, whole: number): number => (whole === 0 ? 0 : (1_000 * part) / whole);
const refusedBy = ({ inference }: Judged): string => (inference?.verdict === 'queue' ? inference.refusal : 'none');

describe.each([
  ['shared', false],
  ['dedicated', true],
] as const)(`${TRANSFERS} transfers that come to %s wallets`, (_, isDedicated) => {
  const all = judgedAll(isDedicated);
  const inferred = inferredOf(all);
  const wrong = all.filter(({ end }) => end === 'wrong');
  const first = all.filter(({ isClear }) => isClear);

  it.each(
    classesOf(isDedicated).map(kind => {
      const own = all.filter(each => each.kind === kind);
      const [credited, queued, another, reserved] = (['credited', 'queued', 'wrong', 'reserved'] as const).map(end =>
        count(own, end),
      );
      const told = `${kind}: ${credited} credited, ${queued} queued, ${another} wrong, ${reserved} met a reservation`;
      return [told, own] as const;
    }),
  )('%s', (told, own) => {
    if (process.env.INFERRED_TALLY) console.info(isDedicated ? 'dedicated' : 'shared', told);
    expect(Math.abs(own.length - TRANSFERS / classesOf(isDedicated).length)).toBeLessThanOrEqual(1);
    expect(new Set(own.map(({ end }) => end))).toContain('queued');
  });

  it(`are credited by inference in ${percent(inferred, all.length)} of all`, () => {
    expect(inferred).toBeGreaterThan(0);
  });

  const clear = count(first, 'credited');
  it(`are credited in ${percent(clear, first.length)} of the clear first mistakes`, () => {
    expect(clear / first.length).toBeGreaterThanOrEqual(CLEAR_IN_ANY_SHOP_AT_LEAST);
  });

  const asked = first.filter(each => !OF_RANGES.includes(refusedBy(each)));
  it(`are credited in ${percent(clear, asked.length)} of those where amounts and unpaid payments allow it`, () => {
    expect(clear / asked.length).toBeGreaterThanOrEqual(CLEAR_AT_LEAST);
  });

  if (isDedicated) {
    const settled = wrong.filter(({ isSettled }) => isSettled);
    it(`are settled by another's money ${settled.length} times of ${inferred} credits`, () => {
      expect(perThousand(settled.length, inferred)).toBeLessThanOrEqual(SETTLED_WRONGLY_PER_THOUSAND);
    });
  } else {
    const nobodys = wrong.filter(({ kind }) => isOf([...NO_CUSTOMERS, TIMED], kind));
    const anothers = wrong.length - nobodys.length;
    it(`are another customer's in ${anothers} of ${inferred} credits`, () => {
      expect(perThousand(anothers, inferred)).toBeLessThanOrEqual(ANOTHERS_PER_THOUSAND);
    });

    it(`are nobody's, or timed to other money, in ${nobodys.length} of ${inferred} credits`, () => {
      expect(perThousand(nobodys.length, inferred)).toBeLessThanOrEqual(NOBODYS_PER_THOUSAND);
    });

    it('lie in review, whosever they are', () => {
      for (const { inference } of all.filter(({ end }) => end === 'credited' || end === 'wrong'))
        expect(inference?.evidence.is_dedicated).toBe(false);
    });
  }
});
