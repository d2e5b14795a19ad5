import { HOUR_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import { fold } from '../../../src/kernel/decider';
import type { KnownClock } from '../../../src/kernel/merchant-clocks';
import type { DeadlineDocument } from '../../../src/modules/payment-intents/deadlines.read-model';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { DeadlineActions } from '../../../src/processes/expiry/deadline-actions';
import * as h from '../../modules/payment-intents/histories';
import { stagedCommands } from '../../support/staged-writes';

const WALL_MS = parseIsoTime(h.EXPIRES_AT) - HOUR_MS;
/** The document may be older than the stream, whose quote was made anew. */
const DEADLINE = { mode: 'test', kind: 'quote', subject: 'pi_1', merchant_id: 'mch_1' } as DeadlineDocument;

function aheadBy(aheadMs: number): KnownClock {
  return { universe: 'test', merchantId: 'mch_1', clock: { aheadMs, advancedAt: h.EXPIRES_AT } };
}

/** A quote that falls due once its merchant's clock is an hour ahead. */
function stage() {
  const decided: unknown[] = [];
  const state = fold(paymentIntents, h.HISTORIES.awaiting_payment);
  const load = () => Promise.resolve({ state, history: [{ metadata: { merchant_id: 'mch_1' } }] });
  const execute = (_: unknown, _id: string, command: PaymentIntentCommand, context: CommandContext) => {
    decided.push(...paymentIntents.decide(command, state, context));
    return Promise.resolve();
  };
  const merchantNow = (_mode: unknown, _merchant: unknown, known?: KnownClock) =>
    Promise.resolve(WALL_MS + (known?.clock?.aheadMs ?? 0));
  const actions = new DeadlineActions({
    commands: stagedCommands({ load, execute }, { merchantNow }),
    isSlotWaiting: () => Promise.resolve(false),
  });
  const meet = (aheadMs: number) => actions.meet('quote pi_1', DEADLINE, aheadBy(aheadMs));
  return { decided, meet };
}

const expired = { type: 'QuoteExpired', data: { quote_expires_at: h.EXPIRES_AT } };

it('a quote ends by the later of two advances, while the action of the earlier one is under way', async () => {
  const { decided, meet } = stage();
  await Promise.all([meet(HOUR_MS / 2), meet(HOUR_MS)]);
  expect(decided).toStrictEqual([expired]);
});

it('a quote is met once by all who come by the same clock', async () => {
  const { decided, meet } = stage();
  await Promise.all([meet(HOUR_MS), meet(HOUR_MS)]);
  expect(decided).toStrictEqual([expired]);
});
