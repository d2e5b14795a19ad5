import type { Clock } from '../../../src/kernel/clock';
import type { ScreeningVerdict } from '../../../src/kernel/ports/screening';
import type { ScreeningMember } from '../../../src/platform/screening/screening-member';
import { SCREENING_TIMEOUT_MS, ScreeningPanel } from '../../../src/platform/screening/screening-panel';

const clear = (source: string): ScreeningVerdict => ({ verdict: 'clear', source, reference: null });
const highRisk: ScreeningVerdict = { verdict: 'high_risk', source: 'ofac-sdn', reference: 'row 7' };

function member(screen: ScreeningMember['screen'], covers = true): ScreeningMember {
  return { name: 'a member', covers: () => covers, screen };
}

const answering = (verdict: ScreeningVerdict): ScreeningMember => member(async () => verdict);
const failing = member(() => Promise.reject(new Error('connection lost')));
const throwing = member(() => {
  throw new Error('broken');
});
const hanging = member(() => new Promise(() => undefined));
const transfer = { mode: 'live', network: 'base', payer: '0x1', recipient: '0x2' } as const;

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

function screen(members: readonly ScreeningMember[], after: 'at once' | 'never' = 'never'): Promise<ScreeningVerdict> {
  return new ScreeningPanel(members, clockWith(after)).screen(transfer);
}

test('clear when every member says so, naming all of them', async () => {
  expect(await screen([answering(clear('one')), answering(clear('two'))])).toEqual(clear('one+two'));
});

test.each<[string, readonly ScreeningMember[], 'at once' | 'never']>([
  ['first', [answering(highRisk), answering(clear('two'))], 'never'],
  ['last', [answering(clear('one')), answering(highRisk)], 'never'],
  ['beside a failure', [failing, answering(highRisk), throwing], 'never'],
  ['beside a member that hangs', [hanging, answering(highRisk)], 'at once'],
])('one high risk decides: %s', async (_, members, after) => {
  expect(await screen(members, after)).toEqual(highRisk);
});

test.each<[string, readonly ScreeningMember[], 'at once' | 'never']>([
  ['rejects', [answering(clear('one')), failing], 'never'],
  ['throws at once', [throwing, answering(clear('two'))], 'never'],
  ['takes too long', [answering(clear('one')), hanging], 'at once'],
])('nobody is cleared when a member %s', async (_, members, after) => {
  await expect(screen(members, after)).rejects.toMatchObject({ code: 'screening_timeout' });
});

test('waits five seconds unless told otherwise', async () => {
  const waits: number[] = [];
  await new ScreeningPanel([answering(clear('one'))], clockWith('never', waits)).screen(transfer);
  await new ScreeningPanel([answering(clear('one'))], clockWith('never', waits), 70).screen(transfer);
  expect([SCREENING_TIMEOUT_MS, waits]).toEqual([5_000, [5_000, 70]]);
});

test('who has no say on the network is not asked', async () => {
  const abroad = member(() => Promise.reject(new Error('asked all the same')), false);
  expect(await screen([abroad, answering(clear('one'))])).toEqual(clear('one'));
});

test('where nobody has a say nobody is cleared', async () => {
  await expect(screen([])).rejects.toMatchObject({
    code: 'screening_timeout',
    message: expect.stringContaining('base'),
  });
});

test('names who gave no verdict', async () => {
  await expect(screen([answering(clear('one')), { ...failing, name: 'the oracle' }])).rejects.toMatchObject({
    message: 'the oracle gave no verdict.',
    cause: expect.objectContaining({ message: 'connection lost' }),
  });
});

test('waits as long as a screening says', async () => {
  const waits: number[] = [];
  await new ScreeningPanel([answering(clear('one'))], clockWith('never', waits)).screen(transfer, 250);
  expect(waits).toEqual([250]);
});
