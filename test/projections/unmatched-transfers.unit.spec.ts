import type { RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { applyEvents, type Projection } from '../../src/kernel/projection';
import { transferId } from '../../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../../src/modules/transfers/transfer.events';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
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

function recorded(stream: string, events: readonly TransferEvent[]) {
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
