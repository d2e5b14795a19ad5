import { killSwitchesProjection } from '../../projections/kill-switches.projection';
import { kybCasesProjection } from '../../projections/kyb-cases.projection';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { applyEvents, type Projection } from '../../src/kernel/projection';
import { KILL_SWITCH, KYB_CASE } from '../fixtures/events/newest-verification';
import { MERCHANT } from '../fixtures/events/facts';

const AT = '2026-11-01T12:00:00.000Z';

function recorded(stream: string, events: readonly DomainEvent[]): readonly RecordedEvent[] {
  const metadata = { mode: 'platform', merchant_id: MERCHANT, occurred_at: AT };
  return events.map(({ type, data }, revision) => {
    return { type, data, stream, revision, position: revision, metadata } as unknown as RecordedEvent;
  });
}

/** The bodies after each event, where every event comes twice. */
function bodies<Body extends JsonObject>(
  projection: Projection<Body>,
  events: readonly RecordedEvent[],
): readonly (Body | null)[] {
  let standing: { readonly id: string; readonly version: number; readonly body: Body } | null = null;
  return events.map(event => {
    for (const each of [event, event]) {
      const [change] = applyEvents(projection as Projection, [each], () => standing).values();
      if (change?.body) standing = { id: change.id, version: change.version, body: change.body as Body };
    }
    return standing?.body ?? null;
  });
}

it('a kill switch holds its stops by mode and ground', () => {
  const [kyb, , , lifted] = KILL_SWITCH;
  const target = { scope: 'merchant', subject: MERCHANT } as const;
  const operator: DomainEvent = {
    type: 'KillSwitchSet',
    data: { ...target, mode: 'live', ground: 'operator', reason: 'fraud' },
  };
  const end: DomainEvent = {
    type: 'KillSwitchLifted',
    data: { mode: 'live', ground: 'operator', reason: 'cleared' },
  };
  const events = recorded(`platform.kill_switch-merchant:${MERCHANT}`, [kyb, operator, lifted, end]);
  const byKyb = { mode: 'live', ground: 'kyb', reason: 'kyb', set_at: AT };
  const byOperator = { mode: 'live', ground: 'operator', reason: 'fraud', set_at: AT };
  expect(bodies(killSwitchesProjection as Projection, events)).toEqual([
    { ...target, is_set: true, stops: [byKyb] },
    { ...target, is_set: true, stops: [byKyb, byOperator] },
    { ...target, is_set: true, stops: [byOperator] },
    { ...target, is_set: false, stops: [] },
  ]);
});

it('a case is told as it stands', () => {
  const told = bodies(kybCasesProjection as Projection, recorded('platform.kyb_case-kyb_1', KYB_CASE));
  expect(told[0]).toEqual({
    merchant_id: MERCHANT,
    status: 'open',
    business: null,
    owners: [],
    documents: [],
    submitted_at: null,
    note: null,
    decided_at: null,
    created: AT,
  });
  expect(told[1]).toMatchObject({ status: 'submitted', submitted_at: AT, business: { country: 'GB' } });
  expect(told[6]).toMatchObject({ documents: [{ kind: 'registration' }, { kind: 'address' }] });
  expect(told[7]).toMatchObject({ status: 'approved', note: 'The extract names both owners.', decided_at: AT });
  expect(told[8]).toMatchObject({ status: 'rejected', note: 'The extract is of another business.' });
});
