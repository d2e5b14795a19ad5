import { HOUR_MS, isoTime } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import { fold } from '../../../src/kernel/decider';
import { clockOf, type KnownClock } from '../../../src/kernel/merchant-clocks';
import type { ListQuery } from '../../../src/kernel/ports/documents';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { DEADLINE_KINDS, type DeadlineKind } from '../../../src/modules/payment-intents/deadlines.read-model';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { Sweeper } from '../../../src/processes/expiry/sweeper';
import { InvoiceDeadlines } from '../../../src/processes/invoices/invoice-deadlines';
import { NETWORK_IDS } from '../../../src/vocabulary/networks';
import * as h from '../../modules/payment-intents/histories';
import { RecordingLog } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import { NOON } from '../../support/payment-fixture';
import { stagedCommands } from '../../support/staged-writes';

const MERCHANT = 'mch_1';
const ADVANCED = { aheadMs: HOUR_MS, advancedAt: isoTime(NOON) };

/** A clock whose readings are counted: the standing of a known clock is not read. */
class CountedClock extends ManualClock {
  readings = 0;

  override merchantNow(universe: string, merchantId: string | null, known?: KnownClock): Promise<number> {
    return this.merchantTimeAt(universe, merchantId, this.timeMs, known);
  }

  override async merchantTimeAt(universe: string, merchantId: string | null, wallMs: number, known?: KnownClock) {
    if (known?.clock && known.merchantId === merchantId) return wallMs + known.clock.aheadMs;
    this.readings += 1;
    return super.merchantTimeAt(universe, merchantId, wallMs);
  }
}

type Waiting = { readonly id: string; readonly equals: object; readonly body: object };

/** The merchant's deadlines, each due once the clock is an hour ahead; `met` has each command with its moment. */
function stage(waiting: readonly Waiting[]) {
  const clock = new CountedClock(NOON);
  const met: (readonly [id: string, now: number])[] = [];
  const list = (_: unknown, { equals, range }: ListQuery) => {
    const isDue = (range?.to ?? '') >= isoTime(NOON + HOUR_MS);
    const asked = JSON.stringify(equals);
    return Promise.resolve(isDue ? waiting.filter(each => JSON.stringify(each.equals) === asked) : []);
  };
  const history = [{ metadata: { merchant_id: MERCHANT } }];
  const load = ({ category }: { readonly category: string }, _mode: unknown, id: string) => {
    const reservations = [{ payment_intent: 'pi_ended', merchant_id: MERCHANT, released: null }];
    if (category === 'amount_slot') return Promise.resolve({ state: { reservations } });
    const events = id === 'pi_ended' ? h.HISTORIES.expired : h.HISTORIES.awaiting_payment;
    return Promise.resolve({ state: fold(paymentIntents, events), history });
  };
  const execute = (_: unknown, id: string, _command: unknown, { now }: CommandContext) => {
    met.push([id, now]);
    return Promise.resolve();
  };
  const commands = stagedCommands({ load, execute }, clock);
  const parts = { modes: ['test'], readModels: { list } as unknown as ReadModels, commands, clock } as const;
  return { parts: { ...parts, log: new RecordingLog() }, clock, met };
}

it('an advance asks for each network’s coverage once, and meets each deadline by the advanced clock', async () => {
  const waiting = DEADLINE_KINDS.map((kind: DeadlineKind) => ({
    id: `${kind} 1`,
    equals: { clock: clockOf(MERCHANT), kind, network_id: 'base' },
    body: { kind, mode: 'test', subject: `${kind} 1`, merchant_id: MERCHANT, due_at: isoTime(NOON + HOUR_MS) },
  }));
  const { parts, clock, met } = stage(waiting);
  const asked: string[] = [];
  const gaplessUntil = (mode: string, network: string) => {
    asked.push(`${mode} ${network}`);
    return Promise.resolve(NOON + HOUR_MS);
  };
  const sweeper = new Sweeper({ ...parts, gaplessUntil, isSlotWaiting: () => Promise.resolve(false) });
  await sweeper.sweepMerchant(MERCHANT, ADVANCED);
  expect(asked).toStrictEqual(NETWORK_IDS.map(network => `test ${network}`));
  expect(met).toStrictEqual(DEADLINE_KINDS.map(kind => [`${kind} 1`, NOON + HOUR_MS]));
  expect(clock.readings).toBe(0);
});

it('an advance meets each deadline of an invoice by the advanced clock', async () => {
  const ids = ['inv_1', 'inv_2'];
  const equals = { clock: clockOf(MERCHANT), awaits_deadline: true };
  const { parts, clock, met } = stage(ids.map(id => ({ id, equals, body: { deadline_at: isoTime(NOON + HOUR_MS) } })));
  await new InvoiceDeadlines(parts).sweepMerchant(MERCHANT, ADVANCED);
  expect(met).toStrictEqual(ids.map(id => [id, NOON + HOUR_MS]));
  expect(clock.readings).toBe(0);
});
