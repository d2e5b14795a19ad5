import { approvalsProjection } from '../../projections/approvals.projection';
import { holdsProjection } from '../../projections/holds.projection';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import { applyEvents, type Projection } from '../../src/kernel/projection';
import type { JsonObject } from '../../src/vocabulary/json';
import {
  ADA,
  approvedBy,
  BEN,
  deniedBy,
  handedBack,
  proposedBy,
  started,
  succeeded,
  withdrawn,
} from '../modules/approvals/approval-facts';
import { held, PAYER, rejected, released } from '../modules/payment-intents/histories';

const AT = '2026-11-01T12:00:00.000Z';

function recorded(stream: string, events: readonly DomainEvent[]): readonly RecordedEvent[] {
  const metadata = { mode: 'live', merchant_id: 'mch_1', occurred_at: AT };
  return events.map(({ type, data }, revision) => {
    const place = { id: `${stream}/${revision}`, stream, revision, position: revision };
    return { type, data, ...place, metadata } as unknown as RecordedEvent;
  });
}

/** The document after the events, of which every one comes twice. */
function document(projection: Projection, events: readonly RecordedEvent[]): JsonObject | null {
  let standing: { readonly id: string; readonly version: number; readonly body: JsonObject } | null = null;
  for (const event of events.flatMap(each => [each, each])) {
    const [change] = applyEvents(projection, [event], () => standing).values();
    if (change?.body) standing = { id: change.id, version: change.version, body: change.body };
  }
  return standing?.body ?? null;
}

describe('an approval', () => {
  const after = (...events: readonly DomainEvent[]) =>
    document(approvalsProjection as Projection, recorded('platform.approval-apr_1', [proposedBy(ADA), ...events]));

  it('is told with its body and its difference as it was proposed', () => {
    expect(after()).toMatchObject({ ...proposedBy(ADA).data, status: 'pending', lapses: true, created: AT });
  });

  it.each([
    [
      'approved',
      { lapses: true, decided_by: BEN.id, note: 'Seen.', decided_at: AT, withdrawal_note: null },
      [approvedBy(BEN)],
    ],
    ['denied', { lapses: false, decided_by: BEN.id, note: 'No.', decided_at: AT }, [deniedBy(BEN)]],
    ['withdrawn', { lapses: false, decided_by: null, note: null, withdrawal_note: 'Mistaken.' }, [withdrawn]],
    [
      'withdrawn',
      { decided_by: BEN.id, note: 'Seen.', decided_at: AT, withdrawal_note: 'Mistaken.' },
      [approvedBy(BEN), withdrawn],
    ],
    ['executing', { lapses: false, executed_by: ADA.id, executed_at: null }, [approvedBy(BEN), started(ADA)]],
    ['executed', { lapses: false, executed_at: AT, refusal: null }, [approvedBy(BEN), started(ADA), succeeded()]],
    [
      'approved',
      { lapses: true, executed_by: null, refusal: 'compliance_hold' },
      [approvedBy(BEN), started(ADA), handedBack()],
    ],
  ] as const)('is %s with %j', (status, facts, events) => {
    expect(after(...events)).toMatchObject({ status, ...facts });
  });
});

describe('a hold', () => {
  const after = (...events: readonly DomainEvent[]) =>
    document(holdsProjection as Projection, recorded('live.payment_intent-pi_1', events));

  it('is open from its placing, and resolved by one of two events', () => {
    const open = { merchant_id: 'mch_1', mode: 'live', payer: PAYER, source: 'administrator', reason: 'listed' };
    const id = expect.stringMatching(/^hold_/);
    expect(after(held)).toEqual({ ...open, hold: id, status: 'open', placed_at: AT, resolved_at: null });
    expect(after(held, released)).toMatchObject({ ...open, status: 'released', resolved_at: AT });
    expect(after(held, rejected)).toMatchObject({ ...open, status: 'rejected', resolved_at: AT });
    expect(after(released)).toBeNull();
  });
});
