import type { Clock } from '../../../src/kernel/clock';
import { refuse } from '../../../src/vocabulary/errors';
import type { ScreenedTransfer } from '../../../src/kernel/ports/screening';
import { CLEAR_FOR_MS, RecentlyCleared } from '../../../src/platform/screening/recently-cleared';

let nowMs = 0;
const clock: Clock = { now: () => nowMs, wait: () => Promise.resolve() };
const transfer: ScreenedTransfer = { mode: 'live', network: 'base', payer: '0x1', recipient: '0x2' };

function given(maxCleared?: number) {
  const member = {
    name: 'remote',
    asked: 0,
    verdict: 'clear' as 'clear' | 'high_risk' | 'none',
    covers: (mode: string) => mode === 'live',
    async screen() {
      member.asked++;
      if (member.verdict === 'none') throw refuse('provider_unavailable');
      return { verdict: member.verdict, source: 'remote', reference: String(member.asked) };
    },
  };
  return { member, cache: new RecentlyCleared(member, clock, maxCleared) };
}

test('is the member itself but for what it remembers', () => {
  const { cache } = given();
  expect([cache.name, cache.covers('live', 'base'), cache.covers('test', 'base')]).toEqual(['remote', true, false]);
});

test('a clear verdict serves for a day', async () => {
  const { member, cache } = given();
  await cache.screen(transfer);
  member.verdict = 'high_risk';
  nowMs += CLEAR_FOR_MS - 1;
  expect(await cache.screen(transfer)).toEqual({ verdict: 'clear', source: 'remote', reference: '1' });
  nowMs += 1;
  expect(await cache.screen(transfer)).toMatchObject({ verdict: 'high_risk' });
  expect(member.asked).toBe(2);
});

test('a high risk, and a failure, are asked for again', async () => {
  const { member, cache } = given();
  member.verdict = 'none';
  await expect(cache.screen(transfer)).rejects.toMatchObject({ code: 'provider_unavailable' });
  member.verdict = 'high_risk';
  await cache.screen(transfer);
  member.verdict = 'clear';
  expect(await cache.screen(transfer)).toMatchObject({ verdict: 'clear' });
});

test.each<Partial<ScreenedTransfer>>([{ mode: 'test' }, { network: 'bnb' }, { payer: '0x3' }, { recipient: '0x3' }])(
  'clears nobody else: %j',
  async other => {
    const { member, cache } = given();
    await cache.screen(transfer);
    await cache.screen({ ...transfer, ...other });
    expect(member.asked).toBe(2);
  },
);

test('forgets first who was cleared longest ago', async () => {
  const { member, cache } = given(2);
  const payers = ['0xa', '0xb', '0xc'].map(payer => ({ ...transfer, payer }));
  for (const each of payers) await cache.screen(each);
  for (const each of payers.slice(1)) await cache.screen(each);
  expect(member.asked).toBe(3);
  await cache.screen(payers[0] as ScreenedTransfer);
  expect(member.asked).toBe(4);
});
