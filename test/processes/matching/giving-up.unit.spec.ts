import type { PlatformContext } from '../../../src/kernel/command-context';
import type { Mode } from '../../../src/vocabulary/modes';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { WritePath } from '../../../src/kernel/write-path';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import { deferredTransferId, deferredTransfers } from '../../../src/modules/coverage/deferred-transfer.decider';
import { GivingUp } from '../../../src/processes/matching/giving-up';
import type { Sighting } from '../../../src/processes/matching/sighting';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

const BLOCK_TIME = '2026-11-01T11:00:00.000Z';
const SEEN_AT = '2026-11-01T11:59:00.000Z';
const TRANSFER = {
  network_id: 'base',
  instance: '8453',
  token_id: 'usdc-base',
  tx_hash: '0x01',
  ordinal: 0,
  from: '0x02',
  to: '0x03',
  value_base_units: '5',
  block_number: 7,
  block_hash: '0x07',
  block_time: BLOCK_TIME,
  seen_at: SEEN_AT,
  slot: null,
  fault: 'TypeError',
} as const;
const ID = deferredTransferId(TRANSFER);

async function stage({ isLocal = false, failure = null as Error | null } = {}) {
  const clock = new ManualClock(NOON);
  const writes = new WritePath(new MemoryEventStore(), clock, () => Promise.resolve());
  const context = (role: 'watcher' | 'admin'): PlatformContext<Mode> => ({
    commandId: `${role}_1`,
    universe: 'live',
    merchantId: null,
    actor: { role, type: 'system', id: role },
    startedAt: NOON,
    now: NOON,
    requestId: null,
    correlationId: role,
    causationId: null,
    ip: null,
  });
  await writes.execute(deferredTransfers, ID, { type: 'defer', transfer: TRANSFER }, context('watcher'));
  const statusNow = async () => (await writes.load(deferredTransfers, 'live', ID)).state.status;
  const queued: { readonly sighting: Sighting; readonly status: string }[] = [];
  const queue = async (sighting: Sighting) => {
    queued.push({ sighting, status: await statusNow() });
    if (failure) throw failure;
  };
  const policyOf = () => watchPolicy('test', isLocal);
  const givingUp = new GivingUp({ writes, matching: { queue }, policyOf, log: new RecordingLog() });
  const giveUp = (reason = 'never placed') => givingUp.giveUp(ID, reason, context('admin'));
  return { giveUp, queued, statusNow };
}

it.each([
  ['on a real chain its block was mined', false, BLOCK_TIME],
  ['on a local chain it was first seen', true, SEEN_AT],
])('puts the transfer into the queue before its wait ends, as paid when %s', async (_, isLocal, paidAt) => {
  const { giveUp, queued, statusNow } = await stage({ isLocal });
  await expect(giveUp()).resolves.toBe(true);
  expect(queued).toMatchObject([{ status: 'open', sighting: { mode: 'live', paidAtMs: Date.parse(paidAt) } }]);
  expect(await statusNow()).toBe('given_up');
});

it('ends the wait of a transfer that the queue cannot take', async () => {
  const { giveUp, statusNow } = await stage({ failure: new TypeError('damaged') });
  await expect(giveUp()).resolves.toBe(false);
  expect(await statusNow()).toBe('given_up');
});

it('ends no wait in an outage', async () => {
  const { giveUp, statusNow } = await stage({ failure: new StoreUnavailable('away') });
  await expect(giveUp()).rejects.toThrow(StoreUnavailable);
  expect(await statusNow()).toBe('open');
});

it('queues nothing where giving up is refused', async () => {
  const { giveUp, queued, statusNow } = await stage();
  await expect(giveUp(' ')).rejects.toMatchObject({ code: 'invalid_reason' });
  expect([queued, await statusNow()]).toEqual([[], 'open']);
});

it('answers a repeated command as the first time', async () => {
  const { giveUp, statusNow } = await stage();
  await giveUp();
  await expect(giveUp()).resolves.toBe(true);
  expect(await statusNow()).toBe('given_up');
});
