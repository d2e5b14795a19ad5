import { asksForAddresses, asksForWallets, headsOf, isScanDue, learn, planTick } from '../../src/watchers/tick-plan';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { AWAY, BEGINNINGS, STANDING, SURPRISES } from './tick-situations';

const LIVE = watchPolicy('live', false);
const TEST = watchPolicy('test', false);

describe.each(BEGINNINGS)('%s', (_situation, known, inTestMode, inLiveMode) => {
  test('in test mode', () => expect(planTick(TEST, { ...STANDING, ...known })).toStrictEqual(inTestMode));
  test('in live mode', () => expect(planTick(LIVE, { ...STANDING, ...known })).toStrictEqual(inLiveMode));
});

describe('once it is found that', () => {
  test.each(SURPRISES)('%s', (_situation, known, findings, steps) => {
    const at = findings.reduce(learn, { ...STANDING, ...known });
    expect(planTick(LIVE, at)).toStrictEqual(steps);
  });
});

describe('before a tick has its plan', () => {
  const { head } = STANDING.heads;
  const rule = { confirmations: 12, finalized: false, confirmationsUnfinalized: null, secondReceipt: false };

  test.each([
    [98, 88],
    [null, 0],
  ])('with the final block %s, blocks up to %i are agreed on', (finalizedHeight, agreedHeight) => {
    expect(headsOf(rule, head, finalizedHeight)).toStrictEqual({ head, finalizedHeight, agreedHeight });
  });

  test('no block of a chain shorter than its rule is agreed on', () => {
    expect(headsOf(rule, { number: 5, hash: '0xa5' }, 3).agreedHeight).toBe(0);
  });

  test.each([
    { finalizedHeight: 98, isScanned: false, asks: true, due: [true, false] },
    { finalizedHeight: 98, isScanned: true, asks: false, due: [false, false] },
    { finalizedHeight: null, isScanned: false, asks: false, due: [true, true] },
    { finalizedHeight: null, isScanned: true, asks: false, due: [true, true] },
  ])('the wallets and the scan follow from %j', ({ finalizedHeight, isScanned, asks, due }) => {
    const known = { heads: { ...STANDING.heads, finalizedHeight }, isScanned };
    expect(asksForWallets(known)).toBe(asks);
    expect([true, false].map(knowsWallets => isScanDue({ ...known, knowsWallets }))).toStrictEqual(due);
  });

  test.each([
    { finalizedHeight: 98, isScanned: false, knowsWallets: true, emptyOrNot: [true, true] },
    { finalizedHeight: 98, isScanned: false, knowsWallets: false, emptyOrNot: [false, false] },
    { finalizedHeight: 98, isScanned: true, knowsWallets: true, emptyOrNot: [false, true] },
    { finalizedHeight: null, isScanned: true, knowsWallets: false, emptyOrNot: [true, true] },
  ])('the addresses are asked for by %j of the backlog', ({ finalizedHeight, isScanned, knowsWallets, emptyOrNot }) => {
    const known = { heads: { ...STANDING.heads, finalizedHeight }, isScanned, knowsWallets };
    expect([true, false].map(isEmpty => asksForAddresses(known, isEmpty))).toStrictEqual(emptyOrNot);
  });
});

describe('whatever is known', () => {
  const all = [...BEGINNINGS.map(([, known]) => known), AWAY].flatMap(known =>
    [TEST, LIVE].map(policy => planTick(policy, { ...STANDING, ...known })),
  );

  test('a block is agreed on, and linked to the head, before it is covered', () => {
    const covering = all.filter(steps => steps.some(({ kind }) => kind === 'cover'));
    expect(covering.length).toBeGreaterThan(10);
    for (const steps of covering) {
      const kinds = steps.map(({ kind }) => kind);
      const before = kinds.slice(0, kinds.indexOf('cover'));
      expect(before).toStrictEqual(expect.arrayContaining(['read_open_end', 'agree']));
    }
  });

  test('no block lies between what is read and what is read next', () => {
    for (const steps of all) {
      let reached: number | null = null;
      for (const step of steps) {
        if (step.kind === 'read_ranges') reached = step.to;
        if (step.kind === 'read_open_end' && reached !== null) expect(step.above).toBe(reached);
        if (step.kind === 'read_open_end') reached = step.above;
        if (step.kind === 'read_again') expect(step.after).toBe(reached);
      }
    }
  });
});
