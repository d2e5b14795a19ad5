import type { Actor } from '../../../src/kernel/event';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { unheldRisks } from '../../../src/modules/payment-intents/payment-intent.holds';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const admin = (id: string): { readonly actor: Actor; readonly now: number } => {
  return { actor: { role: 'compliance', type: 'admin', id }, now: 0 };
};
const watcher = { actor: { role: 'watcher', type: 'system', id: 'watcher' }, now: 0 } as const;

const risky = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'high_risk')];
const held = [...risky, h.held];
const rejected: PaymentIntentEvent = {
  type: 'HoldRejected',
  data: { reason: 'a match', proposed_by: 'adm_1', approved_by: 'adm_2' },
};

describe('a screening', () => {
  const screen = (verdict: 'clear' | 'high_risk'): PaymentIntentCommand => {
    return { type: 'screen_payer', payer: h.PAYER, verdict, source: 'list', reference: 'row 7' };
  };
  const found = (verdict: 'clear' | 'high_risk'): PaymentIntentEvent => {
    return { type: 'PayerScreened', data: { payer: h.PAYER, verdict, source: 'list', reference: 'row 7' } };
  };

  it.each(['clear', 'high_risk'] as const)('is recorded the first time: %s', verdict => {
    given(paymentIntents, h.HISTORIES.confirming)
      .when(screen(verdict), watcher)
      .then([found(verdict)]);
  });

  it('is recorded again where it finds what an earlier one did not', () => {
    const clear = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'clear')];
    given(paymentIntents, clear).when(screen('clear'), watcher).then([]);
    given(paymentIntents, clear)
      .when(screen('high_risk'), watcher)
      .then([found('high_risk')]);
  });

  it('takes no finding back, and does not go against a release', () => {
    given(paymentIntents, risky).when(screen('clear'), watcher).then([]);
    given(paymentIntents, risky).when(screen('high_risk'), watcher).then([]);
    given(paymentIntents, [...held, h.released])
      .when(screen('high_risk'), watcher)
      .then([]);
  });
});

describe('a hold', () => {
  const place = (payer = h.PAYER, reason = 'listed'): PaymentIntentCommand => ({
    type: 'place_hold',
    payer,
    source: 'administrator',
    reason,
  });
  const clear = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'clear')];

  it.each([
    ['of high risk', risky],
    ['whom the screening had cleared', clear],
    ['whom nobody has screened yet', h.HISTORIES.confirming],
  ])('is placed for a payer %s', (_, history) => {
    given(paymentIntents, history).when(place(), admin('adm_1')).then([h.held]);
  });

  it('is placed by the screening without words', () => {
    const data = { payer: h.PAYER, source: 'screening', reason: null } as const;
    given(paymentIntents, risky)
      .when({ type: 'place_hold', ...data }, admin('adm_1'))
      .then([{ type: 'HoldPlaced', data }]);
  });

  it('stands once', () => {
    given(paymentIntents, held).when(place(), admin('adm_1')).then([]);
  });

  it('is not placed again after its release, nor after a rejection', () => {
    given(paymentIntents, [...held, h.released])
      .when(place(), admin('adm_1'))
      .thenRefused('hold_already_resolved');
    const history = [...h.HISTORIES.underpaid, h.held, rejected];
    given(paymentIntents, history).when(place(), admin('adm_1')).thenRefused('hold_already_resolved');
  });

  it('is placed for a second payer after the first was released', () => {
    const two = [...held, h.released, h.detected('tr_2', '5', h.SECOND_PAYER)];
    const again: PaymentIntentEvent = {
      type: 'HoldPlaced',
      data: { payer: h.SECOND_PAYER, source: 'administrator', reason: 'listed' },
    };
    given(paymentIntents, two).when(place(h.SECOND_PAYER), admin('adm_1')).then([again]);
  });

  it('is of somebody who has paid, and has a reason', () => {
    given(paymentIntents, clear).when(place(h.SECOND_PAYER), admin('adm_1')).thenRefused('parameter_invalid');
    given(paymentIntents, clear).when(place(h.PAYER, ' '), admin('adm_1')).thenRefused('invalid_hold_reason');
    const long = '😀'.repeat(1_000);
    const event: PaymentIntentEvent = {
      type: 'HoldPlaced',
      data: { payer: h.PAYER, source: 'administrator', reason: long },
    };
    given(paymentIntents, clear).when(place(h.PAYER, long), admin('adm_1')).then([event]);
    const novel = place(h.PAYER, `${long}x`);
    given(paymentIntents, clear).when(novel, admin('adm_1')).thenRefused('invalid_hold_reason');
  });

  it('stops a payer who is clear from being settled', () => {
    const deep = [...clear, h.depth('tr_1'), h.held];
    given(paymentIntents, deep).when({ type: 'settle', reserved: null }, watcher).thenRefused('compliance_hold');
  });
});

it.each<[string, readonly PaymentIntentEvent[], readonly string[]]>([
  ['of high risk', [], [h.PAYER]],
  ['on an open hold', [h.held], []],
  ['who is released', [h.held, h.released], []],
  ['who is rejected', [h.held, rejected], []],
])('of those who paid, whoever is still to be held: a payer %s', (_, since, payers) => {
  const { state } = given(paymentIntents, [...risky, h.detected('tr_2', '5', h.SECOND_PAYER), ...since]);
  expect(unheldRisks(state as QuotedPaymentIntent)).toStrictEqual(payers);
});

describe.each(['release_hold', 'reject_hold'] as const)('%s', type => {
  const resolve = (proposedBy = 'adm_1', approvedBy = 'adm_2', reason = 'looked into'): PaymentIntentCommand => {
    return { type, reason, proposedBy, approvedBy };
  };
  const event: PaymentIntentEvent = {
    type: type === 'release_hold' ? 'HoldReleased' : 'HoldRejected',
    data: { reason: 'looked into', proposed_by: 'adm_1', approved_by: 'adm_2' },
  };

  it.each(['adm_1', 'adm_2'])('records both who agreed, carried out by %s of them', id => {
    given(paymentIntents, held).when(resolve(), admin(id)).then([event]);
  });

  it('needs two people', () => {
    const alone = resolve('adm_1', 'adm_1');
    given(paymentIntents, held).when(alone, admin('adm_1')).thenRefused('self_approval_forbidden');
  });

  it('is carried out by one of the two', () => {
    given(paymentIntents, held).when(resolve(), admin('adm_3')).thenRefused('executor_not_party');
    const screening = { actor: { role: 'compliance', type: 'system', id: 'screening' }, now: 0 } as const;
    given(paymentIntents, held).when(resolve(), screening).thenRefused('executor_not_party');
  });

  it('is compliance’s alone', () => {
    const merchant = { actor: { role: 'merchant', type: 'user', id: 'adm_1' }, now: 0 } as const;
    given(paymentIntents, held).when(resolve(), merchant).thenRefused('forbidden_actor');
  });

  it('needs a reason', () => {
    given(paymentIntents, held)
      .when(resolve('adm_1', 'adm_2', ''), admin('adm_1'))
      .thenRefused('invalid_hold_reason');
  });

  it('needs a hold that is open', () => {
    given(paymentIntents, risky).when(resolve(), admin('adm_1')).thenRefused('hold_not_found');
    given(paymentIntents, []).when(resolve(), admin('adm_1')).thenRefused('hold_not_found');
    const history = [...h.HISTORIES.underpaid, h.held];
    for (const done of [h.released, rejected]) {
      given(paymentIntents, [...history, done])
        .when(resolve(), admin('adm_1'))
        .thenRefused('hold_already_resolved');
    }
  });
});
