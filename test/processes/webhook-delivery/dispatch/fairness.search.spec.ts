import { SECOND_MS } from '../../../../src/kernel/clock';
import { searchSize } from '../../../levels/search-size';
import { DispatchStage } from './dispatch-stage';

jest.setTimeout(240_000);

const PROMPT_MS = 2 * SECOND_MS;
const LIMIT_MS = 90 * SECOND_MS;
const PLACES = 128;
const A_QUARTER = PLACES / 4;
/** Payments of one merchant, each with a message that takes a place: more than there are places. */
const MANY = searchSize('FAIRNESS_PAYMENTS', { small: PLACES + 12, full: 500 });
/** Merchants with endpoints that hang: of four endpoints each, more than a quarter of all places. */
const MERCHANTS = searchSize('FAIRNESS_MERCHANTS', { small: 10, full: 20 });
/** Payments of each of them. */
const PAYMENTS = searchSize('FAIRNESS_PAYMENTS_EACH', { small: 4, full: 8 });
/** The modes of merchants of one mode. */
const MODES = (['live', 'test'] as const).slice(0, searchSize('FAIRNESS_MODES', { small: 1, full: 2 }));

const merchant = (number: number): string => `mch_${String(number).padStart(26, '0')}`;
const [HOSTILE, OTHER] = [merchant(1), merchant(2)];

let stage: DispatchStage;

beforeEach(() => {
  stage = new DispatchStage();
});
afterEach(() => stage.close());

/** As many endpoints of a merchant that take messages and never answer. */
async function hangingEndpoints(merchantId: string, count: number, mode: 'test' | 'live'): Promise<void> {
  for (let number = 1; number <= count; number++) stage.hanging.add(await stage.endpoint(merchantId, number, mode));
}

async function payments(merchantId: string, count: number, mode: 'test' | 'live'): Promise<void> {
  for (let number = 0; number < count; number++) await stage.payment(merchantId, mode);
}

describe('receivers that hang', () => {
  it(`two of one merchant, with ${MANY} payments, do not hold up another merchant’s webhook`, async () => {
    await stage.startProcess();
    await hangingEndpoints(HOSTILE, 2, 'live');
    await stage.endpoint(OTHER, 1);
    await payments(HOSTILE, MANY, 'live');
    await stage.pass(SECOND_MS);
    expect(await stage.timeTo(await stage.payment(OTHER), LIMIT_MS)).toBeLessThan(PROMPT_MS);
  });

  it('in test mode do not hold up live mode', async () => {
    await stage.startProcess();
    for (let number = 10; number < 10 + MERCHANTS; number++) {
      await hangingEndpoints(merchant(number), 4, 'test');
      await payments(merchant(number), PAYMENTS, 'test');
    }
    await stage.endpoint(OTHER, 1);
    await stage.pass(SECOND_MS);
    expect(await stage.timeTo(await stage.payment(OTHER), LIMIT_MS)).toBeLessThan(PROMPT_MS);
  });

  it.each(MODES)('hold at most a quarter of all places, whoever owns them: %s mode', async mode => {
    await stage.startProcess();
    for (let number = 10; number < 10 + MERCHANTS; number++) {
      await hangingEndpoints(merchant(number), 4, mode);
      await payments(merchant(number), PAYMENTS, mode);
    }
    await stage.pass(25 * SECOND_MS);
    expect(stage.sent.length).toBeGreaterThan(A_QUARTER);
    expect(stage.mostHanging).toBeLessThanOrEqual(A_QUARTER);
  });

  it.each(MODES)('leave a place to a merchant who is as new as they are: %s mode', async mode => {
    await stage.startProcess();
    for (let number = 10; number < 20; number++) {
      await hangingEndpoints(merchant(number), 16, mode);
      await payments(merchant(number), PAYMENTS / 2, mode);
    }
    await stage.pass(SECOND_MS);
    for (let wave = 0; wave < 3; wave++) {
      const newcomer = merchant(1_000 + wave);
      await stage.endpoint(newcomer, 1, mode);
      expect(await stage.timeTo(await stage.payment(newcomer, mode), LIMIT_MS)).toBeLessThan(PROMPT_MS);
      await stage.pass(7 * SECOND_MS);
    }
  });

  it('leave a place to a merchant who comes later, though all of them answered once', async () => {
    await stage.startProcess();
    const urls: string[] = [];
    for (let number = 10; number < 20; number++) {
      for (let endpoint = 1; endpoint <= 16; endpoint++) urls.push(await stage.endpoint(merchant(number), endpoint));
      await payments(merchant(number), 1, 'live');
    }
    await stage.endpoint(OTHER, 1);
    await stage.pass(5 * SECOND_MS);
    expect(stage.sent).toHaveLength(urls.length);
    for (const url of urls) stage.hanging.add(url);
    for (let number = 10; number < 20; number++) await payments(merchant(number), PAYMENTS - 3, 'live');
    await stage.pass(SECOND_MS);
    expect(await stage.timeTo(await stage.payment(OTHER), LIMIT_MS)).toBeLessThan(PROMPT_MS);
  });

  it('get no more than four messages at once, and then one at a time', async () => {
    await stage.startProcess();
    const url = await stage.endpoint(HOSTILE, 1);
    stage.hanging.add(url);
    await payments(HOSTILE, 12, 'live');
    await stage.pass(5 * SECOND_MS);
    expect(stage.underWay.get(url)).toBe(4);
    await stage.pass(10 * SECOND_MS);
    expect(stage.underWay.get(url)).toBe(1);
    stage.hanging.clear();
    await stage.pass(12 * SECOND_MS);
    expect(new Set(stage.sent.map(({ payment }) => payment)).size).toBe(12);
  });
});

it('a merchant with very many webhooks takes turns with one who has a single one', async () => {
  await stage.startProcess();
  for (let number = 1; number <= 4; number++) await stage.endpoint(HOSTILE, number);
  await stage.endpoint(OTHER, 1);
  stage.answerMs = SECOND_MS;
  await payments(HOSTILE, MANY, 'live');
  await stage.pass(SECOND_MS);
  expect(await stage.timeTo(await stage.payment(OTHER), LIMIT_MS)).toBeLessThan(PROMPT_MS);
});
