import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { DetectedTransfer, PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { allows } from '../../../src/modules/payment-intents/payment-intent.permit';
import type { PaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { creditOf, sightingOf, TRANSFERS_LIMIT } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { STATUSES, TRANSITIONS, TRIGGERS } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const ROLES = ['watcher', 'matcher'] as const;

function knownOf(state: PaymentIntent): DetectedTransfer | undefined {
  return state.status === 'none' || state.quote === null ? undefined : Object.values(state.ledger.transfers)[0];
}

const full = (history: readonly PaymentIntentEvent[], isSaid: boolean): readonly PaymentIntentEvent[] => [
  ...history,
  ...Array.from({ length: TRANSFERS_LIMIT }, (_, nth) => h.detected(`tr_${nth + 10}`, '1')),
  ...(isSaid ? [{ type: 'TransferLimitReached', data: { limit: TRANSFERS_LIMIT } } as const] : []),
];

const histories: readonly [string, readonly PaymentIntentEvent[]][] = [
  ['none', []],
  ...STATUSES.map(status => [status, h.HISTORIES[status]] as [string, readonly PaymentIntentEvent[]]),
  ['full', full(h.HISTORIES.detected, false)],
  ['full, and said so', full(h.HISTORIES.detected, true)],
  ['full as it is underpaid', full(h.HISTORIES.underpaid, false)],
  ['full as it is underpaid, and said so', full(h.HISTORIES.underpaid, true)],
  ['rejected in its review', [...h.HISTORIES.underpaid, h.reviewRejected]],
];

describe.each(histories)('what is claimed for a payment that is %s', (_name, history) => {
  const story = given(paymentIntents, history);
  const { state } = story;
  const known = knownOf(state);
  const fresh = (h.detected('tr_9', '5') as { readonly data: DetectedTransfer }).data;
  const moved = known && { ...known, block_number: known.block_number + 1, block_hash: `0x${'cd'.repeat(32)}` };
  const dearer = moved && { ...moved, value_base_units: `${known.value_base_units}1` };

  it.each<[string, DetectedTransfer | undefined]>([
    ['new', fresh],
    ['known', known],
    ['known in another block', moved],
    ['known with another value', dearer],
  ])('enters by the command and the actor that the decider takes, or not at all: %s', (_transfer, transfer) => {
    if (!transfer) return;
    const credit = creditOf(state, transfer);
    const said = ROLES.map(role => {
      const actor = { role, type: 'system', id: role } as const;
      return story.when(sightingOf(state, transfer), { actor, now: 0 }).outcome();
    });
    if (credit !== null) {
      expect(credit.command).toStrictEqual(sightingOf(state, transfer));
      expect(said[ROLES.indexOf(credit.actor)]).toBeInstanceOf(Array);
      return;
    }
    // The transfer is there already, or refused to both.
    expect(said.filter(answer => typeof answer !== 'string' && answer.length > 0)).toStrictEqual([]);
  });
});

it('a state allows what its row of the table has', () => {
  for (const [, history] of histories) {
    const { state } = given(paymentIntents, history);
    const row = TRIGGERS.filter(trigger => allows(state, trigger));
    expect(row).toStrictEqual(TRIGGERS.filter(trigger => trigger in TRANSITIONS[state.status]));
  }
});
