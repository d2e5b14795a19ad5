import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import type { Chain } from '../../src/kernel/ports/chain';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import type { ReadModels } from '../../src/kernel/ports/read-models';
import type { TransferClaims } from '../../src/processes/matching/transfer-claims';
import type { Settlement } from '../../src/processes/settlement';
import type { ChainView } from '../../src/watchers/chain-view';
import { PaymentFollower } from '../../src/watchers/payment-follower';
import { RecordingLog } from '../support/payment-fixture';
import { stagedCommands } from '../support/staged-writes';

const PAYMENTS = ['pi_1', 'pi_2', 'pi_3', 'pi_4'];

/** A follower of some payments, of which each fails as told when it is loaded. */
function stage(failures: Readonly<Record<string, Error>>) {
  const log = new RecordingLog();
  let isListed = false;
  const list = () => {
    const page = isListed
      ? []
      : PAYMENTS.map(id => ({ id, version: 1, body: { merchant_id: 'mch_1', state: { quote: null } } }));
    isListed = true;
    return Promise.resolve(page);
  };
  const load = (_: unknown, __: unknown, id: string) =>
    failures[id] ? Promise.reject(failures[id]) : Promise.resolve({ state: { status: 'none' } });
  const clock = { now: () => 0, merchantNow: () => Promise.resolve(0) };
  const follower = new PaymentFollower({
    mode: 'test',
    network: 'base',
    chain: {} as Chain,
    readModels: { list } as unknown as ReadModels,
    claims: {} as TransferClaims,
    commands: stagedCommands({ load, execute: () => Promise.reject(new Error('asked')) }, clock),
    settlement: {} as Settlement,
    clock: clock as unknown as MerchantClocks,
    log,
  });
  const view = { replaced: [], head: { number: 1 } } as unknown as ChainView;
  return {
    log,
    tick: () => {
      isListed = false;
      return follower.follow(view);
    },
  };
}

it('says once a tick that payments met an outage, and how many', async () => {
  const { log, tick } = stage({
    pi_1: new StoreUnavailable('away'),
    pi_3: new StoreUnavailable('away'),
    pi_4: new Error('of the provider', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
  });
  await tick();
  const line = {
    level: 'warn',
    facts: { mode: 'test', network: 'base', payments: 3, err: expect.any(StoreUnavailable) },
  };
  expect(log.lines).toEqual([expect.objectContaining(line)]);
  await tick();
  expect(log.lines).toHaveLength(2);
});

it('tells of a payment that fails otherwise as of an error of its own', async () => {
  const { log, tick } = stage({ pi_2: new Error('a bug') });
  await tick();
  expect(log.lines).toEqual([
    expect.objectContaining({ level: 'error', facts: expect.objectContaining({ payment_intent: 'pi_2' }) }),
  ]);
});
