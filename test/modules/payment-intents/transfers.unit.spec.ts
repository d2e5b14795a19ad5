import type { ActorRole } from '../../../src/kernel/event';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { claimRefusal } from '../../../src/modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { sightingOf, takesNoMore } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const here = h.transfer('tr_2', '1').block_hash;
const elsewhere = `0x${'ef'.repeat(32)}`;
const drop = { type: 'drop_transfer', transferId: 'tr_2', reason: 'reorged_out' } as const;
const rejected: readonly PaymentIntentEvent[] = [
  h.held,
  { type: 'HoldRejected', data: { reason: 'a match', proposed_by: 'adm_1', approved_by: 'adm_2' } },
];

const by = (role: ActorRole) => ({ actor: { role, type: 'system', id: 'x' } as const, now: 0 });
const stateOf = (history: readonly PaymentIntentEvent[]) => given(paymentIntents, history).state;

describe('a transfer that a reorganisation moved', () => {
  const moved = { ...h.transfer('tr_2', '1', h.SECOND_PAYER), block_number: 101, block_hash: elsewhere };

  it.each(['paid_late', 'confirmed', 'failed'] as const)('is followed where it went though %s', status => {
    const command = sightingOf(stateOf(h.HISTORIES[status]), moved);
    expect(command.type).toBe('move_transfer');
    const { block_number, block_hash, block_time } = moved;
    given(paymentIntents, h.HISTORIES[status])
      .when(command, by('watcher'))
      .then([{ type: 'TransferMoved', data: { transfer_id: 'tr_2', block_number, block_hash, block_time } }]);
  });

  it('is seen anew while nothing is decided, and as one that nobody knows before there is a quote', () => {
    const elsewhereNow = { ...h.transfer('tr_1', '27000120'), block_hash: elsewhere };
    for (const status of ['none', 'created', 'detected', 'confirming'] as const)
      expect(sightingOf(stateOf(h.HISTORIES[status]), elsewhereNow).type).toBe('see_transfer');
  });

  it('is no news where it is already, nor of a transfer that is not the payment’s', () => {
    const move = h.SCENARIOS.move_transfer.command as Extract<PaymentIntentCommand, { type: 'move_transfer' }>;
    const back = { ...move, block: { ...move.block, block_hash: here } };
    given(paymentIntents, h.HISTORIES.paid_late).when(back, by('watcher')).then([]);
    given(paymentIntents, h.HISTORIES.paid_late)
      .when({ ...move, transferId: 'tr_9' }, by('watcher'))
      .then([]);
  });

  it('is another one where its value is another', () => {
    const changed = { ...moved, value_base_units: '2' };
    expect(sightingOf(stateOf(h.HISTORIES.paid_late), changed).type).toBe('see_transfer');
  });

  it('is neither dropped, lost nor credited by what was found out where it was before', () => {
    const events = [...h.HISTORIES.underpaid, h.detected('tr_2', '17000120', h.SECOND_PAYER)];
    given(paymentIntents, events)
      .when({ ...drop, blockHash: elsewhere }, by('watcher'))
      .then([]);
    given(paymentIntents, events)
      .when({ ...drop, blockHash: here }, by('watcher'))
      .then([h.dropped('tr_2')]);
    const screened = [...events, h.screened(h.SECOND_PAYER, 'clear')];
    const credit = { type: 'credit_remainder', transferId: 'tr_2', sighting: 2, reserved: null } as const;
    given(paymentIntents, screened)
      .when({ ...credit, blockHash: elsewhere }, by('matcher'))
      .then([]);
    given(paymentIntents, screened)
      .when({ ...credit, blockHash: here }, by('matcher'))
      .thenTypes(['RemainderCredited', 'PaymentConfirmed']);
    const lose = { type: 'lose_settled_transfer', transferId: 'tr_1' } as const;
    given(paymentIntents, h.HISTORIES.confirmed)
      .when({ ...lose, blockHash: elsewhere }, by('watcher'))
      .then([]);
    given(paymentIntents, h.HISTORIES.confirmed)
      .when({ ...lose, blockHash: here }, by('watcher'))
      .then([{ type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } }]);
  });
});

describe('what is said of a transfer', () => {
  const final = [...h.HISTORIES.confirming, h.depth('tr_1')];

  it('decides to nothing where the payment does not know it', () => {
    const unknown = { transferId: 'tr_9', blockHash: here } as const;
    const detected = h.HISTORIES.detected;
    given(paymentIntents, detected)
      .when({ type: 'see_confirmation', transferId: 'tr_9', headNumber: 101 }, by('watcher'))
      .then([]);
    given(paymentIntents, detected)
      .when({ ...unknown, type: 'drop_transfer', reason: 'reorged_out' }, by('watcher'))
      .then([]);
    given(paymentIntents, final)
      .when({ ...unknown, type: 'reach_depth', sighting: 1, headNumber: 112 }, by('watcher'))
      .then([]);
  });

  it('decides to nothing where it is deep enough already', () => {
    given(paymentIntents, final).when(h.SCENARIOS.reach_depth.command, by('watcher')).then([]);
    given(paymentIntents, h.HISTORIES.confirming)
      .when(h.SCENARIOS.reach_depth.command, by('watcher'))
      .then([h.depth('tr_1')]);
  });

  it('takes what counted off a payment, and stays with one that is confirmed', () => {
    const gone = { ...drop, transferId: 'tr_1', blockHash: here };
    given(paymentIntents, h.HISTORIES.underpaid)
      .when(gone, by('watcher'))
      .then([{ type: 'TransferDropped', data: { transfer_id: 'tr_1', reason: 'reorged_out' } }]);
    given(paymentIntents, h.HISTORIES.confirmed).when(gone, by('watcher')).then([]);
    for (const failed of [[...final, ...rejected], h.HISTORIES.failed])
      given(paymentIntents, failed)
        .when(gone, by('watcher'))
        .then([h.dropped('tr_1')]);
    given(paymentIntents, [...final, ...rejected])
      .when({ ...gone, reason: 'surplus' }, by('watcher'))
      .then([]);
  });
});

it('counts a transfer once, however often it is found final', () => {
  const { command } = h.SCENARIOS.credit_part;
  const events = [
    ...h.HISTORIES.underpaid,
    h.detected('tr_2', '10000000', h.SECOND_PAYER),
    h.screened(h.SECOND_PAYER, 'clear'),
  ];
  const credited: PaymentIntentEvent = {
    type: 'RemainderCredited',
    data: { transfer_id: 'tr_2', received_base_units: '20000000', received_minor_units: '1851' },
  };
  const asked: PaymentIntentEvent = { type: 'RemainderReserved', data: h.remainderAt(20_000_000n).remainder };
  given(paymentIntents, events).when(command, by('matcher')).then([credited, asked]);
  given(paymentIntents, [...events, credited, asked])
    .when(command, by('matcher'))
    .then([]);
});

describe('a transfer that is told otherwise of the same block', () => {
  const told = h.transfer('tr_2', '17000120', h.SECOND_PAYER);
  const seen = [...h.HISTORIES.confirming, { type: 'TransferDetected', data: told } as const];
  const see = (transfer: typeof told, history: readonly PaymentIntentEvent[] = seen) =>
    given(paymentIntents, history).when(sightingOf(stateOf(history), transfer), by('watcher'));

  it.each([
    ['amount', { ...told, value_base_units: '2' }],
    ['payer', { ...told, from: '0x05' }],
  ])('takes the %s that was told last, until it is final', (_name, other) => {
    see(other).then([{ type: 'TransferDetected', data: other }]);
    see(other, [...seen, h.depth('tr_2')]).then([]);
  });

  it('is no news where it is told alike', () => {
    given(paymentIntents, seen).when({ type: 'see_transfer', transfer: told }, by('watcher')).then([]);
  });
});

describe('a payment that takes no more', () => {
  const short = [...h.HISTORIES.underpaid, h.detected('tr_2', '17000120', h.SECOND_PAYER)];

  it('gives up what was on its way, and nothing that counts', () => {
    const surplus = { type: 'drop_transfer', blockHash: here, reason: 'surplus' } as const;
    const dropped: PaymentIntentEvent = { type: 'TransferDropped', data: { transfer_id: 'tr_2', reason: 'surplus' } };
    given(paymentIntents, [...short, ...rejected])
      .when({ ...surplus, transferId: 'tr_2' }, by('watcher'))
      .then([dropped]);
    given(paymentIntents, h.HISTORIES.confirmed)
      .when({ ...surplus, transferId: 'tr_2' }, by('watcher'))
      .then([dropped]);
    given(paymentIntents, h.HISTORIES.confirmed)
      .when({ ...surplus, transferId: 'tr_1' }, by('watcher'))
      .then([]);
    for (const [history, transferId] of [
      [short, 'tr_2'],
      [[...short, ...rejected], 'tr_1'],
    ] as const)
      expect(() => given(paymentIntents, history).when({ ...surplus, transferId }, by('watcher'))).toThrow(
        'no transfer is surplus in underpaid',
      );
  });

  it('is one that is confirmed, failed, or rejected in its review', () => {
    const states: Readonly<Record<string, readonly PaymentIntentEvent[]>> = {
      confirmed: h.HISTORIES.confirmed,
      failed: h.HISTORIES.failed,
      short,
      lost: [...h.HISTORIES.detected, { type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason: 'reverted' } }],
      rejected: [...short, ...rejected],
      'rejected in review': [...short, h.reviewRejected],
      held: [...short, h.held],
    };
    const ended = Object.entries(states).filter(([, history]) => takesNoMore(stateOf(history)));
    expect(ended.map(([name]) => name)).toEqual(['confirmed', 'failed', 'lost', 'rejected', 'rejected in review']);
  });
});

it.each<[string, readonly PaymentIntentEvent[], string | null]>([
  ['that does not exist', h.HISTORIES.none, 'payment_not_found'],
  ['without a quote', h.HISTORIES.created, 'payment_not_quoted'],
  ['that waits', h.HISTORIES.awaiting_payment, null],
  ['with a transfer', h.HISTORIES.detected, null],
  ['that is confirming', h.HISTORIES.confirming, null],
  ['that came short', h.HISTORIES.underpaid, null],
  ['that expired', h.HISTORIES.expired, null],
  ['that is held', [...h.HISTORIES.underpaid, h.held], null],
  ['whose payer is rejected', [...h.HISTORIES.underpaid, ...rejected], 'compliance_hold'],
  ['that came short and was rejected', [...h.HISTORIES.underpaid, h.reviewRejected], 'payment_not_resolvable'],
  ['that is paid late and was rejected', [...h.HISTORIES.paid_late, h.reviewRejected], 'payment_not_resolvable'],
  ['that is confirmed', h.HISTORIES.confirmed, 'payment_already_paid'],
  ['that is overpaid', h.HISTORIES.overpaid, 'payment_already_paid'],
  ['that is paid late', h.HISTORIES.paid_late, 'invalid_state_transition'],
  ['that is canceled', h.HISTORIES.canceled, 'payment_canceled'],
  ['that failed', h.HISTORIES.failed, 'payment_failed'],
])('what somebody names for a payment %s', (_name, history, refusal) => {
  expect(claimRefusal(stateOf(history))).toBe(refusal);
});
