import { parseIsoTime } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import { fold } from '../../../src/kernel/decider';
import { amountSlots, type AmountSlotCommand } from '../../../src/modules/amount-slots/amount-slot.decider';
import type { AmountSlotEvent } from '../../../src/modules/amount-slots/amount-slot.events';
import type { DeadlineDocument } from '../../../src/modules/payment-intents/deadlines.read-model';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { DeadlineActions } from '../../../src/processes/expiry/deadline-actions';
import * as h from '../../modules/payment-intents/histories';
import { stagedCommands } from '../../support/staged-writes';

const RESERVED_UNTIL = parseIsoTime(h.quote.reserved_until);
const reserved = (paymentIntent: string): AmountSlotEvent => ({
  type: 'AmountReserved',
  data: {
    payment_intent: paymentIntent,
    merchant_id: 'mch_1',
    wallet_id: h.quote.wallet_id,
    amount_base_units: h.quote.due_base_units,
    price_base_units: h.quote.price_base_units,
    reserved_at: h.quote.quoted_at,
    reserved_until: h.quote.reserved_until,
    purpose: 'quote',
  },
});
const lapsed = (paymentIntent: string): AmountSlotEvent => ({
  type: 'AmountReleased',
  data: { payment_intent: paymentIntent, reason: 'lapsed' },
});

type History = readonly PaymentIntentEvent[];

function stage(payments: Readonly<Record<string, History>>, slot: readonly AmountSlotEvent[] = []) {
  const decided: unknown[] = [];
  const world = {
    nowMs: RESERVED_UNTIL,
    failure: null as Error | null,
    waiting: [] as string[],
    afterLoading: () => {},
  };
  const stateOf = (category: string, id: string) =>
    category === 'amount_slot' ? fold(amountSlots, slot) : fold(paymentIntents, payments[id] ?? []);
  const execute = (
    { category }: { readonly category: string },
    id: string,
    command: AmountSlotCommand | PaymentIntentCommand,
    context: CommandContext,
  ) => {
    if (world.failure) return Promise.reject(world.failure);
    const events =
      category === 'amount_slot'
        ? amountSlots.decide(command as AmountSlotCommand, fold(amountSlots, slot), context)
        : paymentIntents.decide(command as PaymentIntentCommand, fold(paymentIntents, payments[id] ?? []), context);
    decided.push(...events);
    return Promise.resolve();
  };
  const load = ({ category }: { readonly category: string }, _mode: unknown, id: string) => {
    const loaded = { state: stateOf(category, id) };
    if (category === 'payment_intent') world.afterLoading();
    return Promise.resolve(loaded);
  };
  const actions = new DeadlineActions({
    commands: stagedCommands({ execute, load }, { merchantNow: () => Promise.resolve(world.nowMs) }),
    isSlotWaiting: (_mode, slot) => Promise.resolve(world.waiting.includes(slot)),
  });
  const meet = (kind: DeadlineDocument['kind'], subject: string): Promise<void> =>
    actions.meet(`${kind} ${subject}`, { mode: 'live', kind, subject, merchant_id: 'mch_1' } as DeadlineDocument);
  return { world, decided, meet };
}

describe('the end of a quote', () => {
  it('expires a payment that waits, at its time', async () => {
    const { world, decided, meet } = stage({ pi_1: h.HISTORIES.awaiting_payment });
    world.nowMs = parseIsoTime(h.EXPIRES_AT) - 1;
    await meet('quote', 'pi_1');
    expect(decided).toStrictEqual([]);
    world.nowMs += 1;
    await meet('quote', 'pi_1');
    expect(decided).toStrictEqual([{ type: 'QuoteExpired', data: { quote_expires_at: h.EXPIRES_AT } }]);
  });

  it('asks nothing of a payment that does not wait, and tells a failure', async () => {
    const { world, decided, meet } = stage({ pi_1: h.HISTORIES.detected, pi_2: h.HISTORIES.awaiting_payment });
    world.failure = new Error('asked');
    await meet('quote', 'pi_1');
    await expect(meet('quote', 'pi_2')).rejects.toBe(world.failure);
    expect(decided).toStrictEqual([]);
  });
});

describe('the end of a reservation', () => {
  const final = [...h.HISTORIES.confirming, h.depth('tr_1')];

  it('keeps an amount whose transfer finds its place as the payment is looked at', async () => {
    const { world, decided, meet } = stage({ pi_1: h.HISTORIES.expired }, [reserved('pi_1')]);
    world.waiting = ['slot'];
    world.afterLoading = () => void (world.waiting = []);
    await meet('reservation', 'slot');
    expect(decided).toStrictEqual([]);
  });

  it.each<[string, History, number]>([
    ['of a payment that expired', h.HISTORIES.expired, 1],
    ['of one that was canceled before its quote', [h.created, { type: 'PaymentCanceled', data: {} }], 1],
    ['of one whose transfer counts', final, 1],
    ['and not of one that waits', h.HISTORIES.awaiting_payment, 0],
    ['nor of one with a transfer on its way', h.HISTORIES.confirming, 0],
    ['nor where one counts and one is on its way', [...final, h.detected('tr_2', '1')], 0],
  ])('frees the amount %s', async (_name, history, count) => {
    const { world, decided, meet } = stage({ pi_1: history }, [reserved('pi_1')]);
    await meet('reservation', 'slot');
    expect(decided).toStrictEqual(count === 1 ? [lapsed('pi_1')] : []);
    world.nowMs -= 1;
    await meet('reservation', 'slot');
    expect(decided).toHaveLength(count);
  });

  it.each<[string, readonly AmountSlotEvent[]]>([
    ['that was never reserved', []],
    ['that is free already', [reserved('pi_1'), lapsed('pi_1')]],
  ])('asks nothing of an amount %s', async (_name, slot) => {
    const { world, meet } = stage({ pi_1: h.HISTORIES.expired }, slot);
    world.failure = new Error('asked');
    await expect(meet('reservation', 'slot')).resolves.toBeUndefined();
  });

  it('is the newest reservation’s', async () => {
    const slot = [reserved('pi_1'), lapsed('pi_1'), reserved('pi_2')];
    const { decided, meet } = stage({ pi_1: h.HISTORIES.confirming, pi_2: h.HISTORIES.expired }, slot);
    await meet('reservation', 'slot');
    expect(decided).toStrictEqual([lapsed('pi_2')]);
  });
});

it('a deadline is met once by all who come to it while it is under way', async () => {
  const { decided, meet } = stage({ pi_1: h.HISTORIES.awaiting_payment, pi_2: h.HISTORIES.awaiting_payment });
  await Promise.all([meet('quote', 'pi_1'), meet('quote', 'pi_1'), meet('quote', 'pi_2')]);
  expect(decided).toHaveLength(2);
  await meet('quote', 'pi_1');
  expect(decided).toHaveLength(3);
});
