import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import type { ActionMeans, AdminAction } from '../../../src/modules/administration/api/admin-action';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { JsonObject } from '../../../src/vocabulary/json';
import { documentOf } from '../../projections/payment-document';
import { given } from '../../support/given-when-then';
import * as h from '../payment-intents/histories';
import { WAITING_HISTORIES } from '../payment-intents/waiting-histories';

const ID = `pi_${'1'.repeat(26)}`;
const STRANGER = `0x${'7'.repeat(40)}`;
const NOTE = { note: 'Looked at it.' };
const REASON = { reason: 'Found on a list.' };
const EYES = { proposedBy: 'adm_1', approvedBy: 'adm_2' };
const LOST: PaymentIntentEvent = { type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason: 'reorged_out' } };

const HISTORIES = [
  ...WAITING_HISTORIES,
  { name: 'failed under a hold', events: [...h.HISTORIES.confirming, h.held, LOST] },
  { name: 'underpaid, with a transfer on its way', events: [...h.HISTORIES.underpaid, h.detected('tr_9', '1')] },
];

function preview(action: AdminAction, body: JsonObject, events: readonly PaymentIntentEvent[]) {
  const payment = documentOf(events);
  const hold = `hold_${'1'.repeat(26)}`;
  const ofState = 'ledger' in payment.state ? payment.state.ledger.hold : null;
  const document = { id: ID, version: 1, body: payment };
  const held = { id: ID, version: 1, body: { hold, ...ofState } };
  const found = () => Promise.resolve(document);
  const readModels = { stored: found, freshen: found, list: () => Promise.resolve(ofState ? [held] : []) };
  const means = { readModels, clock: { merchantNow: () => Promise.resolve(0) } } as unknown as ActionMeans;
  return action.plan(means, action.path.startsWith('holds') ? hold : ID, body).preview();
}

async function previewed(action: AdminAction, body: JsonObject, events: readonly PaymentIntentEvent[]) {
  try {
    await preview(action, body, events);
    return 'possible';
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

function carriedOut(
  role: 'admin' | 'compliance',
  command: PaymentIntentCommand,
  events: readonly PaymentIntentEvent[],
) {
  const context = { actor: { role, type: 'admin', id: EYES.proposedBy }, now: 0 } as const;
  const outcome = given(paymentIntents, events).when(command, context).outcome();
  return typeof outcome === 'string' ? outcome : 'possible';
}

const { resolveReview, placeHold, releaseHold, rejectHold } = ADMIN_ACTIONS;
const standing = ['tr_1', 'tr_2'];

describe.each(HISTORIES.filter(({ events }) => events.length > 0))('a payment that is $name', ({ events }) => {
  it.each(['accepted', 'rejected'] as const)(
    'is %s in review where the preview says so, and nowhere else',
    async to => {
      const command = { type: 'resolve', resolution: to, standing, ...NOTE } as const;
      const before = await previewed(resolveReview, { resolution: to, ...NOTE }, events);
      expect(before).toBe(carriedOut('admin', command, events));
    },
  );

  it.each([h.PAYER, h.SECOND_PAYER, STRANGER])('is held for %s where the preview says so', async payer => {
    const command = { type: 'place_hold', source: 'administrator', payer, ...REASON } as const;
    const before = await previewed(placeHold, { payment_intent: ID, payer, ...REASON }, events);
    expect(before).toBe(carriedOut('compliance', command, events));
  });

  it('has its hold released or rejected where the preview says so, and nowhere else', async () => {
    for (const [action, type] of [
      [releaseHold, 'release_hold'],
      [rejectHold, 'reject_hold'],
    ] as const) {
      const after = carriedOut('compliance', { type, ...REASON, ...EYES }, events);
      expect(await previewed(action, REASON, events)).toBe(after);
    }
  });
});

describe('the words of a release', () => {
  const { confirming, underpaid, paid_late: late } = h.HISTORIES;
  it.each([
    ['is settled, where it was confirming', confirming, 'The payment is settled, and may be confirmed at once.'],
    ['stays in review, where it is short', underpaid, 'The payment stays in review, and waits for its decision.'],
    ['stays in review, where it is late', late, 'The payment stays in review, and waits for its decision.'],
    [
      'stays rejected, as its review has decided',
      [...underpaid, h.reviewRejected],
      'The payment stays rejected, as its review has decided.',
    ],
  ])('tell that the payment %s', async (_, events, sentence) => {
    const { does } = await preview(releaseHold, REASON, [...events, h.held]);
    expect(does).toBe(`Takes back the finding about ${h.PAYER}. ${sentence}`);
  });
});

describe('the words of a hold', () => {
  const body = { payment_intent: ID, payer: h.PAYER, ...REASON };
  const held = [...h.HISTORIES.underpaid, h.held];

  it('tell that a payment under a hold is held already', async () => {
    const { does, difference } = await preview(placeHold, body, held);
    expect(does).toBe('Changes nothing: a hold stops the payment already. Nothing is recorded.');
    expect(difference).toEqual([]);
  });

  it('name the hold that was released before, and the new one', async () => {
    const again = [...held, h.released, h.detected('tr_2', '1', h.SECOND_PAYER)];
    const { difference } = await preview(placeHold, { ...body, payer: h.SECOND_PAYER }, again);
    expect(difference[0]).toEqual({ field: 'hold', before: 'released', after: 'open' });
  });
});

it('tells an administrator that only the merchant accepts an underpaid payment', async () => {
  const accepted = preview(resolveReview, { resolution: 'accepted', ...NOTE }, h.HISTORIES.underpaid);
  await expect(accepted).rejects.toThrow('Only the merchant can let a payment in underpaid be accepted in review.');
});

it.each([
  ['paid late', h.HISTORIES.paid_late],
  ['underpaid', h.HISTORIES.underpaid],
  ['underpaid, rejected in review', [...h.HISTORIES.underpaid, h.reviewRejected]],
])('names a payment that is %s in words', async (words, events) => {
  const { to } = await preview(placeHold, { payment_intent: ID, payer: h.PAYER, ...REASON }, events);
  expect(to).toBe(`Payment ${ID} of mch_1, test mode: 25.00 EUR, ${words}.`);
});
