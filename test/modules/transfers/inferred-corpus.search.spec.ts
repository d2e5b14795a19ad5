import { searchSize } from '../../levels/search-size';
import { CLEAR_ENDS, type ClearEnd, type ClearMistake } from './inferred-clear';
import { CLASSES, HARD_CLASSES, RESERVED_CLASSES, TIMED, type DepositClass } from './inferred-corpus';
import { classesOf, judgedAll, type End, type Judged } from './inferred-judged';

const TRANSFERS = searchSize('INFERRED_TRANSFERS', { small: 1_000, full: 100_000 });
const WALLETS = [
  ['shared', false],
  ['dedicated', true],
] as const;

/** Of the inferred credits on a shared wallet at most so many of a thousand are another's, or nobody's. */
const WRONG_PER_THOUSAND = 1;
/**
 * The least share of the true first mistakes in time with one open payment, and no other due within 2d in 30 days. The
 * goal holds where two other clauses of the rule allow the credit. One of them refuses an amount that the rule does not
 * take. The other one refuses an amount that another payment of the last 24 hours asks for, which is not paid yet.
 */
const CLEAR_AT_LEAST = 0.9;
/** The share of all clear first mistakes, where it was measured: most shops have unpaid quotes of the day in range. */
const CLEAR_IN_ANY_SHOP_AT_LEAST = 0.4;
/** Clear first mistakes that a third clause refuses, or that another payment gets. The goal leaves room for a tenth. */
const CLEAR_UNEXPLAINED_AT_MOST = 0;
/** Other unpaid payments of the last 24 hours, from `least` to `most`; and the share credited, as it was measured. */
const CROWDS = [
  { told: 'no other', least: 0, most: 0, measured: 0.86 },
  { told: '1 other', least: 1, most: 1, measured: 0.67 },
  { told: '2 to 3 others', least: 2, most: 3, measured: 0.46 },
  { told: '4 to 7 others', least: 4, most: 7, measured: 0.37 },
  { told: '8 and more others', least: 8, most: Infinity, measured: 0.13 },
] as const;
/** Three standard deviations of a share of one half, for one case. */
const CHANCE_OF_ONE = 1.5;
/** Of the quotes that are timed to a block, so few come before its stamp: clocks are that little apart. */
const STAMPED_LATER_AT_MOST = 0.02;
/** Wrong credits of the hard corpus, of a hundred thousand transfers, where they were measured. */
const HARD_WRONG_PER_HUNDRED_THOUSAND = { shared: 100, dedicated: 20 };

const count = (all: readonly Judged[], end: End): number => all.filter(each => each.end === end).length;
const inferredOf = (all: readonly Judged[]): number => count(all, 'credited') + count(all, 'wrong');
const wrongOf = (all: readonly Judged[]): readonly Judged[] => all.filter(({ end }) => end === 'wrong');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const per = (base: number, part: number, whole: number): number => (whole === 0 ? 0 : (base * part) / whole);
const corpora = { shared: judgedAll(false, TRANSFERS), dedicated: judgedAll(true, TRANSFERS) };

function tally(all: readonly Judged[], kind: DepositClass): string {
  const own = all.filter(each => each.kind === kind);
  const [credited, queued, wrong, reserved] = (['credited', 'queued', 'wrong', 'reserved'] as const).map(end =>
    count(own, end),
  );
  return `${kind}: ${credited} credited, ${queued} queued, ${wrong} wrong, ${reserved} met a reservation`;
}

const clearOf = (all: readonly Judged[]): readonly ClearMistake[] => all.flatMap(({ clear }) => clear ?? []);
const endedAs = (clear: readonly ClearMistake[], ...ends: readonly ClearEnd[]): number =>
  clear.filter(({ end }) => ends.includes(end)).length;
const credited = (clear: readonly ClearMistake[]): string =>
  `${percent(endedAs(clear, 'credited'), clear.length)} of ${clear.length}`;

/** The ends of clear first mistakes, each with its number and its share. */
function account(clear: readonly ClearMistake[]): string {
  const ends = CLEAR_ENDS.map(end => {
    const number = endedAs(clear, end);
    return `${number} ${end} (${percent(number, clear.length)})`;
  });
  return `${clear.length}, of which ${ends.join(', ')}`;
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
    for (const { isDedicated } of all.filter(({ end }) => end === 'credited' || end === 'wrong'))
      expect(isDedicated).toBe(false);
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
 * Amounts and times do not tell that a stranger predicted a deposit: such a quote and a true mistake look alike. Nor
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

/**
 * All first mistakes in time with one open payment, and no other due within 2d in 30 days. The rule's other clauses are
 * no condition here, so each refusal is accounted for. About half of the mistakes also fit another unpaid payment.
 */
describe.each(WALLETS)('clear first mistakes that come to %s wallets', (wallet, isDedicated) => {
  const clear = clearOf(corpora[wallet].listed);
  const quiet = clearOf(corpora[wallet].quiet);

  it(`are at all shops ${account(clear)}`, () => {
    expect(endedAs(clear, 'credited') / clear.length).toBeGreaterThanOrEqual(CLEAR_IN_ANY_SHOP_AT_LEAST);
    const unexplained = endedAs(clear, 'refused by anything else', 'credited to another');
    expect(unexplained / clear.length).toBeLessThanOrEqual(CLEAR_UNEXPLAINED_AT_MOST);
  });

  const alone = clear.filter(({ isAlone }) => isAlone);
  it(`are credited in ${credited(alone)} that neither of these two clauses refuses`, () => {
    expect(endedAs(alone, 'credited') / alone.length).toBeGreaterThanOrEqual(CLEAR_AT_LEAST);
  });

  it(`are at shops where everybody else has paid ${account(quiet)}`, () => {
    if (isDedicated) expect(endedAs(quiet, 'credited') / quiet.length).toBeGreaterThanOrEqual(CLEAR_AT_LEAST);
    expect(endedAs(quiet, 'credited', 'refused by the amount')).toBe(quiet.length);
  });

  it.each(
    CROWDS.map(({ told, least, most, measured }) => {
      const own = clear.filter(({ othersUnpaid }) => othersUnpaid >= least && othersUnpaid <= most);
      return [`${credited(own)} with ${told} unpaid in the last 24 hours`, own, measured] as const;
    }),
  )('are credited in %s', (_, own, measured) => {
    const share = per(1, endedAs(own, 'credited'), own.length);
    expect(share).toBeGreaterThanOrEqual(measured - CHANCE_OF_ONE / Math.sqrt(own.length));
  });
});

/**
 * The goal word for word, over the whole corpus: no filter by amount, and none by kind of wallet. One open payment is
 * one payment that is not paid yet, as the rule itself counts open ones.
 */
describe('clear first mistakes that come to wallets of either kind', () => {
  const both = (corpus: keyof typeof corpora.shared): readonly ClearMistake[] =>
    Object.values(corpora).flatMap(of => clearOf(of[corpus]));
  const single = both('listed').filter(({ othersUnpaid }) => othersUnpaid === 0);
  const quiet = both('quiet');

  it.each([
    [`${credited(single)} where one payment of the day is not paid yet`, single],
    [`${credited(quiet)} at shops where everybody else has paid`, quiet],
  ])('are credited in %s', (_, clear) => {
    expect(endedAs(clear, 'credited') / clear.length).toBeGreaterThanOrEqual(CLEAR_AT_LEAST);
  });
});
