import type { RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { applyEvents, type Projection } from '../../src/kernel/projection';
import { amountKey } from '../../src/modules/payment-intents/expected-payments.read-model';
import { transferId } from '../../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../../src/modules/transfers/transfer.events';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
import { expectedPaymentsProjection } from '../../projections/expected-payments.projection';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { detected, dropped, held, HISTORIES, inferred, rejected } from '../modules/payment-intents/histories';
import { candidateOf } from '../support/candidate';

const KEY = { network: 'base', txHash: `0x${'ab'.repeat(32)}`, ordinal: 2 } as const;
const STREAM = `test.transfer-base:${KEY.txHash}:2`;
const SEEN = {
  token_id: 'usdc-base' as const,
  from: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value_base_units: '27000120',
  block_number: 100,
  block_hash: '0xaa',
  block_time: '2026-11-01T12:05:00.000Z',
};
const seen: TransferEvent = { type: 'TransferSeen', data: SEEN };
const claimed: TransferEvent = { type: 'TransferClaimed', data: { payment_intent: 'pi_1', evidence: null } };
const unmatched: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } };
const refused: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: 'pi_1' } };
const resolved: TransferEvent = { type: 'TransferResolved', data: { payment_intent: 'pi_1', note: 'n' } };
const failed: TransferEvent = {
  type: 'AttributionFailed',
  data: { payment_intent: 'pi_1', refusal: 'invalid_state_transition' },
};
const setAside: TransferEvent = { type: 'TransferSetAside', data: { outcome: 'kept', note: 'n' } };
const reopened: TransferEvent = { type: 'TransferReopened', data: { reason: 'r' } };
const gone: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: '0xaa' } };
const ranked: TransferEvent = {
  type: 'CandidatesRanked',
  data: { candidates: [candidateOf('pi_1')] },
};

function recorded<E extends TransferEvent | PaymentIntentEvent>(stream: string, events: readonly E[]) {
  return events.map((event, revision) => ({
    ...event,
    id: `${revision}`,
    stream,
    revision,
    position: revision,
    metadata: {
      merchant_id: 'mch_1',
      mode: 'test',
      occurred_at: `2026-11-01T12:00:${10 + revision}.000Z`,
      recorded_at: `2026-11-01T11:00:${10 + revision}.000Z`,
    },
  })) as unknown as readonly RecordedEvent[];
}

/** The documents that the projection makes of the events, each delivered twice. */
function project<Body extends JsonObject>(projection: Projection<Body>, events: readonly RecordedEvent[]) {
  const [once] = applyEvents(projection, events, () => null).values();
  const twice = applyEvents(projection, [...events, ...events], () => null);
  expect([...twice.values()]).toStrictEqual(once ? [once] : []);
  return once;
}

const row = (...events: readonly TransferEvent[]) => project(unmatchedTransfersProjection, recorded(STREAM, events));

describe('the queue', () => {
  it('holds a transfer by its public id, with all that was seen of it', () => {
    const { to, ...facts } = SEEN;
    const document = row(seen, unmatched);
    expect(document?.id).toBe(transferId(KEY));
    expect(document?.body).toStrictEqual({
      mode: 'test',
      network_id: 'base',
      tx_hash: KEY.txHash,
      ordinal: 2,
      address: to,
      ...facts,
      left_at: null,
      recorded_at: '2026-11-01T11:00:11.000Z',
      open: true,
      status: 'unmatched',
      reason: 'no_reservation',
      payment_intent: null,
      set_aside: null,
      candidates: [],
      created: '2026-11-01T12:00:11.000Z',
    });
  });

  it.each([
    ['matched at once', [seen, claimed], false, 'attributed', null],
    ['credited to nobody', [seen, claimed, refused], true, 'unmatched', 12],
    ['claimed', [seen, unmatched, claimed], false, 'attributed', 11],
    ['resolved', [seen, unmatched, resolved], false, 'attributed', 11],
    ['not credited', [seen, unmatched, resolved, failed], true, 'attribution_failed', 11],
    ['opened again', [seen, unmatched, resolved, failed, reopened], true, 'unmatched', 11],
    ['set aside', [seen, unmatched, setAside], false, 'set_aside', 11],
    ['opened after it was set aside', [seen, unmatched, setAside, reopened], true, 'unmatched', 11],
    ['gone', [seen, unmatched, gone], false, 'reorged_out', 11],
    ['back', [seen, unmatched, gone, seen, unmatched], true, 'unmatched', 11],
  ] as const)('shows a transfer that is %s', (_, events, open, status, createdSecond) => {
    const created = createdSecond === null ? null : `2026-11-01T12:00:${createdSecond}.000Z`;
    expect(row(...events)?.body).toMatchObject({ open, status, created });
  });

  it('keeps candidates until the transfer is seen anew', () => {
    expect(row(seen, unmatched, ranked)?.body).toMatchObject({ candidates: ranked.data.candidates as never });
    expect(row(seen, unmatched, ranked, gone, seen, unmatched)?.body).toMatchObject({ candidates: [] });
  });
});

describe('expected payments', () => {
  const expected = (history: readonly PaymentIntentEvent[]) =>
    project(expectedPaymentsProjection, recorded('test.payment_intent-pi_1', history))?.body;

  it('are found by amount, the fiat figure and time from the quote on', () => {
    expect(expected(HISTORIES.created)).toBeUndefined();
    const quote = HISTORIES.awaiting_payment.find(({ type }) => type === 'MethodSelected')?.data as never as {
      due_base_units: string;
      quoted_at: string;
    };
    expect(expected(HISTORIES.awaiting_payment)).toMatchObject({
      state: 'waiting',
      due_key: amountKey(quote.due_base_units),
      day: quote.quoted_at.slice(0, 10),
      payer: null,
    });
  });

  it.each([
    ['detected', 'paid'],
    ['confirmed', 'paid'],
    ['overpaid', 'paid'],
    ['underpaid', 'waiting'],
    ['failed', 'ended'],
    ['expired', 'waiting'],
    ['paid_late', 'paid'],
  ] as const)('say of one that is %s that it is %s', (status, state) => {
    expect(expected(HISTORIES[status])).toMatchObject({ state });
  });

  it('know the remainder of one that came short, and keep it once it has come', () => {
    const { remainder_key: asked, remainder_until: until } = expected(HISTORIES.underpaid) ?? {};
    expect(asked).toMatch(/^\d{78}$/);
    expect(expected(HISTORIES.detected)).toMatchObject({ remainder_key: null });
    expect(expected(HISTORIES.confirmed)).toMatchObject({
      state: 'paid',
      remainder_key: asked,
      remainder_until: until,
    });
  });

  it.each([
    ['awaiting_payment', 'awaiting'],
    ['expired', 'awaiting'],
    ['detected', 'under_way'],
    ['confirming', 'under_way'],
    ['underpaid', 'short'],
    ['paid_late', 'short'],
    ['confirmed', 'paid'],
    ['overpaid', 'paid'],
    ['failed', 'ended'],
    ['canceled', 'ended'],
  ] as const)('say of one that is %s that it stands as %s', (status, standing) => {
    expect(expected(HISTORIES[status])).toMatchObject({ standing });
  });

  it('know an inferred transfer, the moment of the first one, and the part that is missing until it is asked for', () => {
    const history = [...HISTORIES.awaiting_payment, inferred('tr_1', '13500060')];
    const missing = amountKey(13_500_060n);
    expect(expected(history)).toMatchObject({
      standing: 'under_way',
      inferred_transfer: 'tr_1',
      first_paid_at: '2026-11-01T12:05:00.000Z',
      brought: { tr_1: '13500060' },
      remainder_key: missing,
      dedicated: false,
    });
    expect(expected([...history, inferred('tr_1', '13500060')])).toMatchObject({ brought: { tr_1: '13500060' } });
    const bare = { standing: 'awaiting', first_paid_at: null, brought: {}, inferred_transfer: 'tr_1' };
    expect(expected([...history, dropped('tr_1')])).toMatchObject(bare);
  });

  it.each([
    [0, '26999990', 130n],
    [100, '26730119', null],
    [100, '26730118', 270_002n],
    [100, '26999990', null],
    [0, '27000130', null],
  ])('miss what the domain calls short, at a tolerance of %d basis points: %s', (tolerance_bps, value, missing) => {
    const [created, selected] = HISTORIES.awaiting_payment;
    const quoted = { ...selected, data: { ...selected?.data, tolerance_bps } } as PaymentIntentEvent;
    const history = [created, quoted, inferred('tr_1', value)] as readonly PaymentIntentEvent[];
    expect(expected(history)).toMatchObject({ remainder_key: missing && amountKey(missing) });
  });

  it('stay ended after a rejected hold, and wait again once their last transfer is gone', () => {
    const blocked = [...HISTORIES.underpaid, held, rejected];
    expect(expected(blocked)).toMatchObject({ state: 'ended', standing: 'ended' });
    expect(expected([...blocked, detected('tr_2', '1')])).toMatchObject({ state: 'ended', standing: 'ended' });
    const seen = [...HISTORIES.expired, detected('tr_1', '1')];
    expect(expected(seen)).toMatchObject({ state: 'paid', standing: 'under_way' });
    expect(expected([...seen, dropped('tr_1')])).toMatchObject({ state: 'waiting', standing: 'awaiting' });
  });

  it('sort as amounts count', () => {
    const amounts = [1n, 9n, 10n, 27_000_120n, 10n ** 18n, 2n ** 256n - 1n];
    expect(amounts.map(amountKey)).toStrictEqual(amounts.map(amountKey).sort());
  });
});
