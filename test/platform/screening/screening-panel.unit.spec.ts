import type { Clock } from '../../../src/kernel/clock';
import type { Screening, ScreeningVerdict } from '../../../src/kernel/ports/screening';
import { SCREENING_TIMEOUT_MS, ScreeningPanel } from '../../../src/platform/screening/screening-panel';

const clear = (source: string): ScreeningVerdict => ({ verdict: 'clear', source, reference: null });
const highRisk: ScreeningVerdict = { verdict: 'high_risk', source: 'ofac-sdn', reference: 'row 7' };

const answering = (verdict: ScreeningVerdict): Screening => ({ screen: async () => verdict });
const failing: Screening = { screen: () => Promise.reject(new Error('connection lost')) };
const throwing: Screening = {
  screen: () => {
    throw new Error('broken');
  },
};
const hanging: Screening = { screen: () => new Promise(() => undefined) };

/** A clock whose time is up `after` the panel began to wait: at once, or never. */
function clockWith(after: 'at once' | 'never', waits: number[] = []): Clock {
  return {
    now: () => 0,
    wait: (delayMs, signal) => {
      waits.push(delayMs);
      if (after === 'at once') return new Promise(resolve => setImmediate(resolve));
      return new Promise(resolve => signal?.addEventListener('abort', () => resolve()));
    },
  };
}

function screen(members: readonly Screening[], after: 'at once' | 'never' = 'never'): Promise<ScreeningVerdict> {
  return new ScreeningPanel(members, clockWith(after)).screen('base', '0x');
}

test('clear when every member says so, naming all of them', async () => {
  expect(await screen([answering(clear('one')), answering(clear('two'))])).toEqual(clear('one+two'));
});

test.each<[string, readonly Screening[], 'at once' | 'never']>([
  ['first', [answering(highRisk), answering(clear('two'))], 'never'],
  ['last', [answering(clear('one')), answering(highRisk)], 'never'],
  ['beside a failure', [failing, answering(highRisk), throwing], 'never'],
  ['beside a member that hangs', [hanging, answering(highRisk)], 'at once'],
])('one high risk decides: %s', async (_, members, after) => {
  expect(await screen(members, after)).toEqual(highRisk);
});

test.each<[string, readonly Screening[], 'at once' | 'never']>([
  ['rejects', [answering(clear('one')), failing], 'never'],
  ['throws at once', [throwing, answering(clear('two'))], 'never'],
  ['takes too long', [answering(clear('one')), hanging], 'at once'],
])('nobody is cleared when a member %s', async (_, members, after) => {
  await expect(screen(members, after)).rejects.toMatchObject({ code: 'screening_timeout' });
});

test('waits five seconds unless told otherwise', async () => {
  const waits: number[] = [];
  await new ScreeningPanel([answering(clear('one'))], clockWith('never', waits)).screen('base', '0x');
  await new ScreeningPanel([answering(clear('one'))], clockWith('never', waits), 70).screen('base', '0x');
  expect([SCREENING_TIMEOUT_MS, waits]).toEqual([5_000, [5_000, 70]]);
});

test('a panel without members is refused', () => {
  expect(() => new ScreeningPanel([], clockWith('never'))).toThrow('without members');
});
