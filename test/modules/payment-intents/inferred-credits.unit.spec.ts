import type { ActorRole } from '../../../src/kernel/event';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { isFollowed } from '../../../src/modules/payment-intents/payment-intent.followed';
import { unpaidRemainder } from '../../../src/modules/payment-intents/payment-intent.outcome';
import { lacksRemainder } from '../../../src/modules/payment-intents/payment-intent.settlement';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { creditOf } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const by = (role: ActorRole) => ({ actor: { role, type: 'system', id: 'x' } as const, now: 0 });

/** Half of a percent less than the 27.00012 USDC that are due. */
const SHORT = '26865119';
const ACCEPT = { type: 'accept', note: null, standing: ['tr_1'] } as const;
const REJECT = { type: 'resolve', resolution: 'rejected', note: 'sent back', standing: [] } as const;

const quotedWith = (change: Partial<typeof h.quote>): PaymentIntentEvent[] => [
  h.created,
  { type: 'MethodSelected', data: { ...h.quote, tolerance_bps: 100, ...change } },
];
const deep = (value: string, change: Partial<typeof h.quote> = {}): PaymentIntentEvent[] => [
  ...quotedWith(change),
  h.inferred('tr_1', value),
  h.confirmation,
  h.screened(h.PAYER, 'clear'),
  h.depth('tr_1'),
];
const underpaid = (value: string, minorUnits: string): PaymentIntentEvent => ({
  type: 'PaymentUnderpaid',
  data: { received_base_units: value, received_minor_units: minorUnits, remainder: null },
});
const inReview = [...deep(SHORT), underpaid(SHORT, '2487')];
const stateOf = (events: readonly PaymentIntentEvent[]) => given(paymentIntents, events).state as QuotedPaymentIntent;

describe('an inferred transfer at a shared wallet', () => {
  it.each([
    ['within the tolerance', SHORT, '2487'],
    ['short', '13500060', '1250'],
    ['of the amount due', '27000120', '2500'],
  ])('leaves the payment to its merchant, without a remainder: %s', (_, value, minorUnits) => {
    const reserved = h.remainderAt(BigInt(value));
    given(paymentIntents, deep(value))
      .when({ type: 'settle', reserved }, by('watcher'))
      .then([underpaid(value, minorUnits)]);
  });

  it('asks for nothing, and is not followed', () => {
    const state = stateOf(inReview);
    expect([state.ledger.review, unpaidRemainder(state), lacksRemainder(state), isFollowed(state)]).toStrictEqual([
      'pending',
      null,
      false,
      false,
    ]);
    given(paymentIntents, inReview)
      .when({ type: 'ask_remainder', reserved: h.remainderAt(BigInt(SHORT)) }, by('watcher'))
      .then([]);
  });

  it('is confirmed by the merchant alone', () => {
    const confirmed: PaymentIntentEvent = {
      type: 'PaymentConfirmed',
      data: { received_base_units: SHORT, received_minor_units: '2487', surplus_base_units: null },
    };
    given(paymentIntents, inReview)
      .when(ACCEPT, by('merchant'))
      .then([{ type: 'PaymentAccepted', data: { note: null } }, confirmed]);
  });

  describe('where the amount due comes beside it', () => {
    const exact = [h.detected('tr_2', '27000120', h.SECOND_PAYER), h.screened(h.SECOND_PAYER, 'clear')];
    const superseded: PaymentIntentEvent = {
      type: 'TransferDropped',
      data: { transfer_id: 'tr_1', reason: 'superseded' },
    };
    const paid: PaymentIntentEvent = {
      type: 'PaymentConfirmed',
      data: { received_base_units: '27000120', received_minor_units: '2500', surplus_base_units: null },
    };
    const settle = { type: 'settle', reserved: null } as const;
    const credit = { type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: null } as const;
    const credited: PaymentIntentEvent = {
      type: 'RemainderCredited',
      data: { transfer_id: 'tr_2', received_base_units: '53865239', received_minor_units: '4987' },
    };

    it('makes way for it before the settlement, however deep it is itself', () => {
      for (const before of [deep(SHORT), deep(SHORT).slice(0, -1)])
        given(paymentIntents, [...before, ...exact, h.depth('tr_2')])
          .when(settle, by('watcher'))
          .then([superseded, paid]);
    });

    it('makes way for it in the review', () => {
      given(paymentIntents, [...inReview, ...exact])
        .when(credit, by('matcher'))
        .then([credited, superseded, paid]);
    });

    it('makes way for more than the amount due, which overpays by itself', () => {
      const more = h.detected('tr_2', '28000120', h.SECOND_PAYER);
      given(paymentIntents, [...deep(SHORT), more, ...exact.slice(1), h.depth('tr_2')])
        .when(settle, by('watcher'))
        .then([
          superseded,
          {
            type: 'PaymentOverpaid',
            data: { received_base_units: '28000120', received_minor_units: '2592', surplus_base_units: '1000000' },
          },
        ]);
    });

    it('stays with the merchant while the other one is not deep enough', () => {
      given(paymentIntents, [...deep(SHORT), ...exact])
        .when(settle, by('watcher'))
        .then([]);
    });

    it('stays with the merchant where the other one came after the quote’s end, or is short as well', () => {
      const late = { ...h.detected('tr_2', '27000120', h.SECOND_PAYER) };
      const after = { ...late, data: { ...late.data, block_time: '2026-11-01T13:00:00.000Z' } } as PaymentIntentEvent;
      given(paymentIntents, [...inReview, after, ...exact.slice(1)])
        .when(credit, by('matcher'))
        .then([credited]);
      const short = h.detected('tr_2', '13500060', h.SECOND_PAYER);
      given(paymentIntents, [...deep(SHORT), short, ...exact.slice(1), h.depth('tr_2')])
        .when(settle, by('watcher'))
        .then([underpaid('40365179', '3737')]);
    });
  });

  it('leaves the payment as the merchant rejects it, and is no longer counted', () => {
    const dropped: PaymentIntentEvent = {
      type: 'TransferDropped',
      data: { transfer_id: 'tr_1', reason: 'review_rejected' },
    };
    given(paymentIntents, inReview).when(REJECT, by('merchant')).then([h.reviewRejected, dropped]);
    const { status, ledger } = stateOf([...inReview, h.reviewRejected, dropped]);
    expect([status, ledger.review, ledger.transfers]).toStrictEqual(['underpaid', 'rejected', {}]);
  });

  it('asks for the whole amount where a reorganisation has taken it', () => {
    expect(lacksRemainder(stateOf([...inReview, h.dropped('tr_1')]))).toBe(true);
  });
});

describe('an inferred transfer at a dedicated wallet', () => {
  const dedicated = { dedicated: true };

  it.each<[string, string, PaymentIntentEvent]>([
    [
      'within the tolerance',
      SHORT,
      {
        type: 'PaymentConfirmed',
        data: { received_base_units: SHORT, received_minor_units: '2487', surplus_base_units: null },
      },
    ],
    [
      'more',
      '27100120',
      {
        type: 'PaymentOverpaid',
        data: { received_base_units: '27100120', received_minor_units: '2509', surplus_base_units: '100000' },
      },
    ],
    [
      'less',
      '20000000',
      {
        type: 'PaymentUnderpaid',
        data: {
          received_base_units: '20000000',
          received_minor_units: '1851',
          remainder: h.remainderAt(20_000_000n).remainder,
        },
      },
    ],
  ])('settles the payment by itself: %s', (_, value, outcome) => {
    given(paymentIntents, deep(value, dedicated))
      .when({ type: 'settle', reserved: h.remainderAt(BigInt(value)) }, by('watcher'))
      .then([outcome]);
  });
});

describe('an inferred transfer is taken', () => {
  const seen = (id: string) => ({ type: 'see_transfer', transfer: h.transfer(id, SHORT), isInferred: true }) as const;

  it('by a payment that waits for its first transfer', () => {
    given(paymentIntents, quotedWith({}))
      .when(seen('tr_1'), by('watcher'))
      .then([h.inferred('tr_1', SHORT)]);
  });

  it.each<[string, readonly PaymentIntentEvent[], ActorRole]>([
    ['detected', [...quotedWith({}), h.detected('tr_1', '27000120')], 'watcher'],
    ['expired', h.HISTORIES.expired, 'matcher'],
    ['underpaid', h.HISTORIES.underpaid, 'matcher'],
    ['inferred before', [...quotedWith({}), h.inferred('tr_1', SHORT)], 'watcher'],
  ])('by no other one: %s', (_, history, role) => {
    given(paymentIntents, history).when(seen('tr_2'), by(role)).thenRefused('invalid_state_transition');
    expect(creditOf(stateOf(history), h.transfer('tr_2', SHORT), true)).toBeNull();
  });

  it('once more in another block, as the same one', () => {
    const moved = { ...h.transfer('tr_1', SHORT), block_hash: `0x${'ef'.repeat(32)}` };
    given(paymentIntents, [...quotedWith({}), h.inferred('tr_1', SHORT)])
      .when({ type: 'see_transfer', transfer: moved, isInferred: true }, by('watcher'))
      .then([{ type: 'TransferDetected', data: { ...moved, attribution: 'inferred' } }]);
  });
});

describe('an inferred transfer that is named afterwards', () => {
  const name = { type: 'see_transfer', transfer: h.transfer('tr_1', SHORT) } as const;
  const claimed = h.detected('tr_1', SHORT);

  it('counts anew as a claimed one, and settles the payment as any other', () => {
    given(paymentIntents, deep(SHORT)).when(name, by('watcher')).then([claimed]);
    const { ledger } = stateOf([...deep(SHORT), claimed]);
    expect(ledger.transfers.tr_1).toMatchObject({ attribution: 'claimed', final: false });
    given(paymentIntents, [...deep(SHORT), claimed, h.depth('tr_1')])
      .when({ type: 'settle', reserved: null }, by('watcher'))
      .then([
        {
          type: 'PaymentConfirmed',
          data: { received_base_units: SHORT, received_minor_units: '2487', surplus_base_units: null },
        },
      ]);
  });

  it('stays with the merchant once the payment is in review', () => {
    expect(creditOf(stateOf(inReview), h.transfer('tr_1', SHORT))?.command.type).toBe('move_transfer');
    const { block_number, block_hash, block_time } = h.transfer('tr_1', SHORT);
    given(paymentIntents, inReview)
      .when(
        { type: 'move_transfer', transferId: 'tr_1', block: { block_number, block_hash, block_time } },
        by('watcher'),
      )
      .then([]);
  });
});

describe('the attribution of any other transfer', () => {
  it.each<[string, readonly PaymentIntentEvent[], string, ActorRole, 'exact' | 'claimed']>([
    ['meets the amount due', [h.created, h.selected], '27000116', 'watcher', 'exact'],
    ['meets nothing', [h.created, h.selected], '27000115', 'watcher', 'claimed'],
    ['meets the remainder', h.HISTORIES.underpaid, '17000134', 'matcher', 'exact'],
    ['meets no remainder', h.HISTORIES.underpaid, '17000120', 'matcher', 'claimed'],
  ])('follows from its amount: %s', (_, history, value, role, attribution) => {
    const transfer = h.transfer('tr_7', value);
    given(paymentIntents, history)
      .when({ type: 'see_transfer', transfer }, by(role))
      .then([{ type: 'TransferDetected', data: { ...transfer, attribution } }]);
  });

  it('is told by the amount for the events of former versions', () => {
    const former = (value: string): PaymentIntentEvent => ({
      type: 'TransferDetected',
      data: { ...h.transfer('tr_1', value), attribution: 'unrecorded' },
    });
    const told = (value: string) => stateOf([h.created, h.selected, former(value)]).ledger.transfers.tr_1?.attribution;
    expect([told('27000120'), told('26865119')]).toStrictEqual(['exact', 'claimed']);
  });
});
