import { killSwitches } from '../../src/modules/kill-switches/kill-switch.decider';
import { killSwitchId } from '../../src/modules/kill-switches/kill-switch.events';
import { PaymentFixture } from '../support/payment-fixture';

const IN_FLIGHT = 100;
const BLOCKS_TO_THE_END = 40;
const pi = (number: number): string => `pi_${String(number).padStart(26, '0')}`;
const hash = (number: number): string => `0x${String(number).padStart(64, '0')}`;

test('a kill switch lets exactly the payments that are under way complete', async () => {
  const fixture = new PaymentFixture({ mode: 'live', network: 'base' });
  fixture.mineEmpty(60);
  const watcher = await fixture.watcher();
  await watcher.tick();
  const payments = Array.from({ length: IN_FLIGHT }, (_, index) => index + 1);
  const dues = new Map<number, bigint>();
  for (const number of payments) dues.set(number, await fixture.quoted(pi(number), String(2_000 + number)));
  const pay = (number: number) => fixture.chain.mine(fixture.transfer(hash(number), dues.get(number) ?? 0n));

  // One half is paid before the switch, and has no final block yet. The other half is paid after it.
  payments.filter(number => number % 2 === 0).forEach(pay);
  await watcher.tick();
  const target = { scope: 'network', subject: 'base' } as const;
  const stop = { mode: 'live', ground: 'operator' } as const;
  const above = { ...fixture.context(), universe: 'platform', merchantId: null } as const;
  const set = { type: 'set', target, stop, reason: 'An alarm.' } as const;
  await fixture.writes.execute(killSwitches, killSwitchId(target), set, above);
  await expect(fixture.quoted(pi(IN_FLIGHT + 1))).rejects.toMatchObject({ code: 'token_disabled' });
  payments.filter(number => number % 2 === 1).forEach(pay);
  for (let tick = 0; tick < 4; tick++) {
    fixture.mineEmpty(BLOCKS_TO_THE_END / 4);
    await watcher.tick();
  }

  const statuses = await Promise.all(payments.map(async number => (await fixture.payment(pi(number))).status));
  expect(statuses).toEqual(payments.map(() => 'confirmed'));
  expect((await fixture.payment(pi(IN_FLIGHT + 1))).status).toBe('created');
}, 60_000);
