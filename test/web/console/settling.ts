import type { Screening } from '../../../src/kernel/ports/screening';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { ControlledScreening } from '../../../src/processes/controlled-screening';
import { AmountReservation } from '../../../src/processes/method-selection/amount-reservation';
import { Settlement } from '../../../src/processes/settlement';
import type { ConsoleStage } from '../console-stage';
import type { deepPayment } from './staged-console';

/** The imported lists know nobody here. */
const LISTS: Screening = { screen: () => Promise.resolve({ verdict: 'clear', source: 'local_list', reference: null }) };

/** Settles payments as a watcher's turn does: payers are looked for among the addresses that administrators listed. */
export function settlingOf({ stage }: ConsoleStage) {
  const { commands, access, readModels, writes, clock, log } = stage.core;
  const screening = new ControlledScreening(LISTS, access, readModels);
  const settlement = new Settlement(commands, screening, new AmountReservation(writes, readModels), clock, log);
  return async (payment: Awaited<ReturnType<typeof deepPayment>>): Promise<void> => {
    const { state } = await commands.read(paymentIntents, payment.mode, payment.id);
    if (state.status === 'none' || state.quote === null) throw new Error(`${payment.id} has no quote`);
    await settlement.advance(payment, state);
  };
}
