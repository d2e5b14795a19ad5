import type { ActorRole } from '../../../src/kernel/event';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { outcome, receivedAmounts } from '../../../src/modules/payment-intents/payment-intent.outcome';
import { lacksRemainder } from '../../../src/modules/payment-intents/payment-intent.settlement';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const by = (role: ActorRole, now = 0) => ({ actor: { role, type: 'system', id: 'x' } as const, now });

const settle: PaymentIntentCommand = { type: 'settle', reserved: null };
const base = [h.created, h.selected];
const { data: quote } = h.selected as { data: typeof h.quote };

const CONFIRMED: PaymentIntentEvent = {
  type: 'PaymentConfirmed',
  data: { received_base_units: '27000120', received_minor_units: '2500', surplus_base_units: null },
};

function payment(toleranceBps: number, amountMinorUnits = '2500'): QuotedPaymentIntent {
  const created: PaymentIntentEvent = {
    type: 'PaymentIntentCreated',
    data: { ...h.terms, amount_minor_units: amountMinorUnits },
  };
  const selected: PaymentIntentEvent = { type: 'MethodSelected', data: { ...quote, tolerance_bps: toleranceBps } };
  return given(paymentIntents, [created, selected]).state as QuotedPaymentIntent;
}

describe('outcome', () => {
  // Due is 27.000120 USDC; the attribution tolerance is 4 base units.
  it.each([
    [0, 27000120n, 'exact'],
    [0, 27000124n, 'exact'],
    [0, 27000125n, 'over'],
    [0, 27000116n, 'exact'],
    [0, 27000115n, 'short'],
    [50, 26865120n, 'exact'],
    [50, 26865119n, 'short'],
    [100, 26730119n, 'exact'],
    [100, 26730118n, 'short'],
    // A quarter less leaves no fraction of a base unit to round up.
    [2500, 20250090n, 'exact'],
    [2500, 20250089n, 'short'],
  ] as const)('with %d bps of tolerance, %d received is %s', (bps, received, expected) => {
    expect(outcome(payment(bps), received)).toBe(expected);
  });

  it.each([
    [27000120n, '2500'],
    [27000116n, '2500'],
    [27000124n, '2500'],
    [27000115n, '2499'],
    [13500060n, '1250'],
    [1n, '0'],
    [54000240n, '5000'],
  ])('shows %d base units as %s minor units', (received, minorUnits) => {
    expect(receivedAmounts(payment(0), received)).toStrictEqual({
      received_base_units: received.toString(),
      received_minor_units: minorUnits,
    });
  });
});

it('shows what is off by no more than the tolerance as the very amount, however small its minor units are', () => {
  const inSmallUnits = payment(0, '250000000');
  for (const received of [27000116n, 27000120n, 27000124n])
    expect(receivedAmounts(inSmallUnits, received).received_minor_units).toBe('250000000');
  expect(receivedAmounts(inSmallUnits, 27000125n).received_minor_units).toBe('250000046');
});

describe('settle', () => {
  const deep = [...base, h.detected('tr_1', '27000120'), h.confirmation, h.depth('tr_1')];

  it('waits for the screening of every payer', () => {
    given(paymentIntents, deep).when(settle, by('watcher')).then([]);
    const second = [...deep, h.screened(h.PAYER, 'clear'), h.detected('tr_2', '10', h.SECOND_PAYER), h.depth('tr_2')];
    given(paymentIntents, second).when(settle, by('watcher')).then([]);
  });

  it('waits for the depth of every transfer', () => {
    const shallow = [...base, h.detected('tr_1', '27000120'), h.confirmation, h.screened(h.PAYER, 'clear')];
    given(paymentIntents, shallow)
      .when({ type: 'settle', reserved: h.remainderAt(0n) }, by('watcher'))
      .then([]);
    const beside = [...deep, h.screened(h.PAYER, 'clear'), h.detected('tr_2', '10')];
    given(paymentIntents, beside).when(settle, by('watcher')).then([]);
  });

  it('has nothing to say where no transfer is left', () => {
    const none = [...base, h.detected('tr_1', '27000120'), h.confirmation, h.dropped('tr_1')];
    given(paymentIntents, none)
      .when({ type: 'settle', reserved: h.remainderAt(0n) }, by('watcher'))
      .then([]);
  });

  it('never settles a high-risk payer, held or not yet', () => {
    const risky = [...deep, h.screened(h.PAYER, 'high_risk')];
    given(paymentIntents, risky).when(settle, by('watcher')).then([]);
    given(paymentIntents, [...risky, h.held])
      .when(settle, by('watcher'))
      .thenRefused('compliance_hold');
  });

  it('settles a released payer', () => {
    const history = [...deep, h.screened(h.PAYER, 'high_risk'), h.held, h.released];
    given(paymentIntents, history).when(settle, by('watcher')).then([CONFIRMED]);
  });

  it('adds up what came in several transfers', () => {
    const two = [...base, h.detected('tr_1', '27000000'), h.detected('tr_2', '120', h.SECOND_PAYER), h.confirmation];
    const ready = [
      ...two,
      h.depth('tr_1'),
      h.depth('tr_2'),
      h.screened(h.PAYER, 'clear'),
      h.screened(h.SECOND_PAYER, 'clear'),
    ];
    given(paymentIntents, ready).when(settle, by('watcher')).then([CONFIRMED]);
  });

  it('carries the remainder when short, and the surplus when over', () => {
    const short = [
      ...base,
      h.detected('tr_1', '10000000'),
      h.confirmation,
      h.depth('tr_1'),
      h.screened(h.PAYER, 'clear'),
    ];
    given(paymentIntents, short)
      .when({ type: 'settle', reserved: h.remainderAt(10_000_000n) }, by('watcher'))
      .then([
        {
          type: 'PaymentUnderpaid',
          data: { received_base_units: '10000000', received_minor_units: '925', remainder: h.remainder },
        },
      ]);
    const over = [
      ...base,
      h.detected('tr_1', '27000200'),
      h.confirmation,
      h.depth('tr_1'),
      h.screened(h.PAYER, 'clear'),
    ];
    given(paymentIntents, over)
      .when(settle, by('watcher'))
      .then([
        {
          type: 'PaymentOverpaid',
          data: { received_base_units: '27000200', received_minor_units: '2500', surplus_base_units: '80' },
        },
      ]);
  });
});

describe('where no amount is free for the remainder', () => {
  const none = (receivedBaseUnits: bigint) => ({ receivedBaseUnits, remainder: null });

  it('a payment is short at once, and asks for nothing', () => {
    const short = [...base, h.detected('tr_1', '10000000'), h.confirmation, h.depth('tr_1')];
    const state = given(paymentIntents, [...short, h.screened(h.PAYER, 'clear')])
      .when({ type: 'settle', reserved: none(10_000_000n) }, by('watcher'))
      .then([
        {
          type: 'PaymentUnderpaid',
          data: { received_base_units: '10000000', received_minor_units: '925', remainder: null },
        },
      ]) as QuotedPaymentIntent;
    expect(lacksRemainder(state)).toBe(true);
  });

  it('a part is credited, and the former amount is asked for no more', () => {
    const state = given(paymentIntents, [...h.HISTORIES.underpaid, h.detected('tr_2', '10000000')])
      .when({ type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: none(20_000_000n) }, by('matcher'))
      .then([
        {
          type: 'RemainderCredited',
          data: { transfer_id: 'tr_2', received_base_units: '20000000', received_minor_units: '1851' },
        },
      ]) as QuotedPaymentIntent;
    expect([state.ledger.remainder, lacksRemainder(state)]).toStrictEqual([null, true]);
  });

  it('nothing is asked for anew', () => {
    given(paymentIntents, [...h.HISTORIES.underpaid, h.dropped('tr_1')])
      .when({ type: 'ask_remainder', reserved: none(0n) }, by('watcher'))
      .then([]);
  });
});

describe('a part of the remainder', () => {
  const second = [...h.HISTORIES.underpaid, h.detected('tr_2', '10000000')];
  const missing = { due_base_units: '7000130', slot: '700013', reserved_until: '2026-11-02T12:15:00.000Z' };

  it('is credited, and the remainder then is asked for by an amount of its own', () => {
    const credit: PaymentIntentCommand = {
      type: 'credit_remainder',
      ...h.committed('tr_2', 2),
      reserved: { receivedBaseUnits: 20_000_000n, remainder: missing },
    };
    given(paymentIntents, second)
      .when(credit, by('matcher'))
      .then([
        {
          type: 'RemainderCredited',
          data: { transfer_id: 'tr_2', received_base_units: '20000000', received_minor_units: '1851' },
        },
        { type: 'RemainderReserved', data: missing },
      ]);
  });

  it('waits where no amount was reserved for the remainder', () => {
    const credit: PaymentIntentCommand = {
      type: 'credit_remainder',
      ...h.committed('tr_2', 2),
      reserved: null,
    };
    given(paymentIntents, second).when(credit, by('matcher')).then([]);
  });

  it('reserves nothing where it makes the payment whole', () => {
    const whole = [...h.HISTORIES.underpaid, h.detected('tr_2', '17000120')];
    const credit: PaymentIntentCommand = {
      type: 'credit_remainder',
      ...h.committed('tr_2', 2),
      reserved: null,
    };
    given(paymentIntents, whole).when(credit, by('matcher')).thenTypes(['RemainderCredited', 'PaymentConfirmed']);
  });
});

describe('a credit', () => {
  const credits = {
    underpaid: { type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: null },
    paid_late: { type: 'credit_late', ...h.committed('tr_2', 2) },
  } as const;
  const credited = { underpaid: ['RemainderCredited', 'PaymentConfirmed'], paid_late: ['PaidLate'] } as const;
  const second = h.detected('tr_2', '17000120', h.SECOND_PAYER);

  it.each(['underpaid', 'paid_late'] as const)('is refused on a hold, open or rejected: %s', status => {
    // The late payment has its second transfer already, and takes no further one.
    const more = status === 'underpaid' ? [second] : [];
    const held = [...h.HISTORIES[status], ...more, h.screened(h.SECOND_PAYER, 'clear'), h.held];
    given(paymentIntents, held).when(credits[status], by('matcher')).thenRefused('compliance_hold');
    given(paymentIntents, [...held, h.rejected])
      .when(credits[status], by('matcher'))
      .thenRefused('compliance_hold');
    given(paymentIntents, [...held, h.released])
      .when(credits[status], by('matcher'))
      .thenTypes(credited[status]);
  });

  it('of a remainder waits for its payer’s screening; late money is screened in its review', () => {
    const unscreened = [...h.HISTORIES.underpaid, second];
    given(paymentIntents, unscreened).when(credits.underpaid, by('matcher')).then([]);
    const risky = [...unscreened, h.screened(h.SECOND_PAYER, 'high_risk')];
    given(paymentIntents, risky).when(credits.underpaid, by('matcher')).then([]);
    given(paymentIntents, [...h.HISTORIES.expired, h.detected('tr_1', '1'), second])
      .when(credits.paid_late, by('matcher'))
      .thenTypes(credited.paid_late);
  });

  it('is of a transfer that the payment knows', () => {
    for (const status of ['underpaid', 'paid_late'] as const) {
      const unknown = { ...credits[status], transferId: 'tr_9' };
      given(paymentIntents, h.HISTORIES[status]).when(unknown, by('matcher')).then([]);
    }
  });
});

describe('an amount reserved for the remainder', () => {
  const stale = h.remainderAt(5_000_000n);

  it('is asked for only where it is for what has come: the next look brings the right one', () => {
    const short = [...base, h.detected('tr_1', '10000000'), h.confirmation, h.depth('tr_1')];
    const deep = [...short, h.screened(h.PAYER, 'clear')];
    given(paymentIntents, deep).when({ type: 'settle', reserved: stale }, by('watcher')).then([]);
    given(paymentIntents, deep).when(settle, by('watcher')).then([]);
    const second = [...h.HISTORIES.underpaid, h.detected('tr_2', '10000000')];
    const credit = { type: 'credit_remainder', ...h.committed('tr_2', 2) } as const;
    // The first transfer was lost between the reservation and the decision.
    const alone = [...second, h.dropped('tr_1')];
    given(paymentIntents, alone)
      .when({ ...credit, reserved: h.remainderAt(20_000_000n) }, by('matcher'))
      .then([]);
    given(paymentIntents, alone)
      .when({ ...credit, reserved: h.remainderAt(10_000_000n) }, by('matcher'))
      .thenTypes(['RemainderCredited', 'RemainderReserved']);
  });

  it.each<[string, readonly PaymentIntentEvent[], bigint, number]>([
    ['when all that counted is gone', [h.dropped('tr_1')], 0n, 1],
    ['for another sum', [h.dropped('tr_1')], 1n, 0],
    ['with nothing gone', [], 10_000_000n, 0],
    ['when what counted came back with another value', [h.detected('tr_1', '9000000')], 0n, 1],
    ['when one went that did not count yet', [h.detected('tr_2', '5'), h.dropped('tr_2')], 10_000_000n, 0],
    ['while the payer is held', [h.dropped('tr_1'), h.held], 0n, 0],
    ['after the payer is released', [h.dropped('tr_1'), h.held, h.released], 0n, 1],
    ['after the payer is rejected', [h.dropped('tr_1'), h.held, h.rejected], 0n, 0],
    ['a second time', [h.dropped('tr_1'), { type: 'RemainderReserved', data: h.remainder }], 0n, 0],
  ])('is asked for anew %s', (_, since, receivedBaseUnits, count) => {
    const reserved = h.remainderAt(receivedBaseUnits);
    given(paymentIntents, [...h.HISTORIES.underpaid, ...since])
      .when({ type: 'ask_remainder', reserved }, by('watcher'))
      .then(count ? [{ type: 'RemainderReserved', data: reserved.remainder }] : []);
  });
});

describe('what is already so decides to nothing', () => {
  const seen = [...base, h.detected('tr_1', '27000120')];

  it('a transfer seen twice in one block, in any later state', () => {
    const again: PaymentIntentCommand = { type: 'see_transfer', transfer: h.transfer('tr_1', '27000120') };
    given(paymentIntents, seen).when(again, by('watcher')).then([]);
    given(paymentIntents, h.HISTORIES.confirmed).when(again, by('watcher')).then([]);
  });

  it('but not one seen again in another block, whose depth starts anew', () => {
    const moved = { ...h.transfer('tr_1', '27000120'), block_hash: `0x${'ef'.repeat(32)}`, block_number: 101 };
    const deep = [...seen, h.confirmation, h.depth('tr_1')];
    const state = given(paymentIntents, deep)
      .when({ type: 'see_transfer', transfer: moved }, by('watcher'))
      .then([{ type: 'TransferDetected', data: moved }]) as QuotedPaymentIntent;
    expect(state.ledger.transfers.tr_1?.final).toBe(false);
  });

  it('a depth that names another block than the one the transfer is in', () => {
    const command: PaymentIntentCommand = {
      type: 'reach_depth',
      transferId: 'tr_1',
      blockHash: '0x00',
      sighting: 1,
      headNumber: 112,
    };
    given(paymentIntents, [...seen, h.confirmation])
      .when(command, by('watcher'))
      .then([]);
  });

  it('a loss of a transfer in a block that it has left since', () => {
    const elsewhere = `0x${'ef'.repeat(32)}`;
    const again: PaymentIntentEvent = {
      type: 'TransferDetected',
      data: { ...h.transfer('tr_1', '27000120'), block_hash: elsewhere },
    };
    const move = { block_number: 101, block_hash: elsewhere, block_time: '2026-11-01T12:05:03.000Z' };
    const moved: PaymentIntentEvent = { type: 'TransferMoved', data: { transfer_id: 'tr_1', ...move } };
    for (const [blockHash, failed, lost] of [
      [h.BLOCK_HASH, [], []],
      [elsewhere, ['PaymentFailed'], ['SettledTransferLost']],
    ] as const) {
      const drop = { type: 'drop_transfer', transferId: 'tr_1', blockHash, reason: 'reorged_out' } as const;
      given(paymentIntents, [...seen, again])
        .when(drop, by('watcher'))
        .thenTypes(failed);
      const lose = { type: 'lose_settled_transfer', transferId: 'tr_1', blockHash } as const;
      given(paymentIntents, [...h.HISTORIES.confirmed, moved])
        .when(lose, by('watcher'))
        .thenTypes(lost);
    }
  });

  it('an expiry whose time has not come', () => {
    given(paymentIntents, base)
      .when({ type: 'expire' }, by('sweeper', Date.parse(h.EXPIRES_AT) - 1))
      .then([]);
    given(paymentIntents, base)
      .when({ type: 'expire' }, by('sweeper', Date.parse(h.EXPIRES_AT)))
      .then([{ type: 'QuoteExpired', data: { quote_expires_at: h.EXPIRES_AT } }]);
  });
});

describe('reviews and holds', () => {
  it('accept only what the chain holds still', () => {
    const gone: PaymentIntentEvent = {
      type: 'TransferDropped',
      data: { transfer_id: 'tr_1', reason: 'reorged_out' },
    };
    const accept: PaymentIntentCommand = { type: 'accept', note: null, standing: [] };
    given(paymentIntents, h.HISTORIES.underpaid).when(accept, by('merchant')).thenRefused('payment_failed');
    const resolve = { type: 'resolve', resolution: 'accepted', note: 'fine', standing: ['tr_1'] } as const;
    given(paymentIntents, [...h.HISTORIES.paid_late, gone])
      .when(resolve, by('merchant'))
      .thenRefused('payment_failed');
    given(paymentIntents, h.HISTORIES.paid_late)
      .when(resolve, by('merchant'))
      .thenTypes(['ReviewResolved', 'PaymentConfirmed']);
  });

  it('accept no part of what counts: each transfer stands, or nothing does', () => {
    const more: readonly PaymentIntentEvent[] = [
      h.detected('tr_2', '5', h.SECOND_PAYER),
      h.screened(h.SECOND_PAYER, 'clear'),
      {
        type: 'RemainderCredited',
        data: { transfer_id: 'tr_2', received_base_units: '10000005', received_minor_units: '925' },
      },
    ];
    const accept = (...standing: string[]): PaymentIntentCommand => ({ type: 'accept', note: null, standing });
    const two = [...h.HISTORIES.underpaid, ...more];
    given(paymentIntents, two).when(accept('tr_1'), by('merchant')).thenRefused('payment_failed');
    given(paymentIntents, two)
      .when(accept('tr_1', 'tr_2'), by('merchant'))
      .thenTypes(['PaymentAccepted', 'PaymentConfirmed']);
  });

  it('accept a payer who was released, and none who was rejected', () => {
    const accept: PaymentIntentCommand = { type: 'accept', note: null, standing: ['tr_1'] };
    const held = [...h.HISTORIES.underpaid, h.held];
    given(paymentIntents, [...held, h.released])
      .when(accept, by('merchant'))
      .thenTypes(['PaymentAccepted', 'PaymentConfirmed']);
    given(paymentIntents, [...held, h.rejected])
      .when(accept, by('merchant'))
      .thenRefused('compliance_hold');
  });

  it('leave what is known of the other payers as it was when one is released', () => {
    const two = [...base, h.detected('tr_1', '27000000'), h.detected('tr_2', '120', h.SECOND_PAYER), h.confirmation];
    const screened = [...two, h.screened(h.SECOND_PAYER, 'clear'), h.screened(h.PAYER, 'high_risk'), h.held];
    const state = given(paymentIntents, [...screened, h.released]).state as QuotedPaymentIntent;
    expect(state.ledger.screened).toStrictEqual({ [h.SECOND_PAYER]: 'clear', [h.PAYER]: 'released' });
  });

  it('ask for no remainder once the payer is rejected', () => {
    const state = given(paymentIntents, [...h.HISTORIES.underpaid, h.held, h.rejected]).state as QuotedPaymentIntent;
    expect([state.ledger.remainder, lacksRemainder(state)]).toStrictEqual([null, false]);
    const short = given(paymentIntents, [...h.HISTORIES.underpaid, h.dropped('tr_1')]).state as QuotedPaymentIntent;
    expect([short, { ...short, status: 'confirming' as const }].map(lacksRemainder)).toStrictEqual([true, false]);
  });

  it('are decided once', () => {
    const again: PaymentIntentCommand = { type: 'resolve', resolution: 'accepted', note: 'after all', standing: [] };
    given(paymentIntents, [...h.HISTORIES.paid_late, h.reviewRejected])
      .when(again, by('merchant'))
      .thenRefused('payment_not_resolvable');
  });

  it('need a note', () => {
    const noted: PaymentIntentCommand = { type: 'resolve', resolution: 'accepted', note: ' ', standing: [] };
    given(paymentIntents, h.HISTORIES.paid_late).when(noted, by('merchant')).thenRefused('invalid_resolution');
  });

  it('accept without a note, where a blank one is none, or with one that has an end', () => {
    const accept = (note: string | null): PaymentIntentCommand => ({ type: 'accept', note, standing: ['tr_1'] });
    const confirmed = h.HISTORIES.confirmed.slice(-1);
    for (const [note, recorded] of [
      [null, null],
      [' ', null],
      ['x'.repeat(500), 'x'.repeat(500)],
    ] as const) {
      given(paymentIntents, h.HISTORIES.underpaid)
        .when(accept(note), by('merchant'))
        .then([{ type: 'PaymentAccepted', data: { note: recorded } }, ...confirmed]);
    }
    given(paymentIntents, h.HISTORIES.underpaid)
      .when(accept('x'.repeat(501)), by('merchant'))
      .thenRefused('parameter_invalid', 'note');
  });

  it('accept nothing while the payer is held or was never screened', () => {
    const held = [...h.HISTORIES.underpaid, h.held];
    given(paymentIntents, held)
      .when({ type: 'accept', note: null, standing: ['tr_1'] }, by('merchant'))
      .thenRefused('compliance_hold');
    const unscreened = h.HISTORIES.paid_late.filter(event => event.type !== 'PayerScreened');
    const accepted: PaymentIntentCommand = {
      type: 'resolve',
      resolution: 'accepted',
      note: 'fine',
      standing: ['tr_1'],
    };
    given(paymentIntents, unscreened).when(accepted, by('merchant')).thenRefused('compliance_hold');
  });
});
