import {
  AUDIT_ACTION_LENGTH,
  AUDIT_SNAPSHOT_BYTES,
  AUDIT_TEXT_LENGTH,
  auditEntry,
  type AuditFacts,
} from '../../../src/modules/audit/audit-entry';
import { isRefusal } from '../../../src/vocabulary/errors';

const FACTS: AuditFacts = {
  id: '6f1c1a52-6f0b-4c7e-9a37-1d5f0f6f9a01',
  occurred_at: '2026-11-01T12:00:00.000Z',
  actor: { type: 'admin', id: 'adm_1', role: 'admin' },
  action: 'kill_switch.set',
  target_type: 'kill_switch',
  target_id: 'network:tron',
  merchant_id: null,
  mode: 'platform',
  before: null,
  after: { is_set: true },
  ip: '2001:db8::7',
  request_id: 'req_1',
  stream: 'platform.kill_switch-network:tron',
  revision: 0,
};

function refusalOf(facts: AuditFacts): string | null {
  try {
    auditEntry(facts);
    return null;
  } catch (error) {
    return isRefusal(error) ? error.code : String(error);
  }
}

it('keeps who did what to which object, by the id of the event', () => {
  const { id, actor: _, ...facts } = FACTS;
  const who = { actor_type: 'admin', actor_id: 'adm_1', actor_role: 'admin' };
  expect(auditEntry(FACTS)).toEqual({ id, version: 0, body: { ...facts, ...who } });
});

const admin = { type: 'admin', id: 'adm_1', role: 'admin' };

it.each<[string, string, Partial<AuditFacts>]>([
  ['actor_missing', 'nobody', { actor: null }],
  ['actor_missing', 'an actor without an id', { actor: { ...admin, id: '' } }],
  ['audit_field_missing', 'no action', { action: '' }],
  ['audit_field_missing', 'no target', { target_id: '' }],
  ['audit_field_too_long', 'a long action', { action: `kill_switch.${'s'.repeat(AUDIT_ACTION_LENGTH)}` }],
  ['audit_field_too_long', 'a long target', { target_id: 'x'.repeat(AUDIT_TEXT_LENGTH + 1) }],
  ['audit_field_too_long', 'a large snapshot', { after: { text: 'x'.repeat(AUDIT_SNAPSHOT_BYTES) } }],
  ['audit_field_invalid', 'a list as a snapshot', { before: [1] }],
  ['audit_field_invalid', 'a text as a snapshot', { after: 'was set' }],
  ['audit_actor_type_invalid', 'an unknown actor', { actor: { ...admin, type: 'robot' } }],
  ['audit_action_invalid', 'an unknown action', { action: 'kill_switch.forget' }],
  ['audit_ip_invalid', 'no address', { ip: '203.0.113.700' }],
])('is refused as %s: %s', (code, _, change) => {
  expect(refusalOf({ ...FACTS, ...change })).toBe(code);
});

it('is refused by the first fault alone', () => {
  expect(refusalOf({ ...FACTS, actor: null, action: '', ip: 'x' })).toBe('actor_missing');
  expect(refusalOf({ ...FACTS, action: 'no.such', ip: 'x', before: [] })).toBe('audit_field_invalid');
  expect(refusalOf({ ...FACTS, action: 'no.such', ip: 'x' })).toBe('audit_action_invalid');
});
