import { EVENT_TYPES } from '../../../src/composition/event-types';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { AUDIT_SNAPSHOT_BYTES } from '../../../src/modules/audit/audit-entry';
import { AUDIT_ACTIONS, AUDIT_CATEGORIES, AUDIT_RULES } from '../../../src/modules/audit/audit-rules';
import { AuditRows } from '../../../src/processes/audit/audit-rows';
import type { JsonValue } from '../../../src/vocabulary/json';
import { metadata } from '../../contracts/contract-support';
import { NEWEST } from '../../fixtures/events/newest';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';

/** Names of members that may carry a secret, and the ones of them that are known to carry none. */
const SUSPECT = /password|secret|sealed|hash|token$|nonce|challenge|wrapped|public_key|credential/;
const HARMLESS = new Set([
  'block_hash', 'tx_hash', 'to_hash', 'from_parent_hash', 'hash', 'body_hash', 'password_changed_at', 'secret_id', 'challenge_expires_at',
]); // prettier-ignore

/** Each frozen event of the category, as if one stream held all of them. */
function recorded(category: string): readonly RecordedEvent[] {
  const id = category === 'transfer' ? 'base:0x1:0' : '1';
  return (NEWEST[category] ?? []).map(({ type, data }, revision) => ({
    id: `${category}-${revision}`,
    type,
    data,
    stream: `test.${category}-${id}`,
    revision,
    position: revision as LogPosition,
    metadata: metadata(),
  }));
}

function rowsOver(events: readonly RecordedEvent[]): AuditRows {
  const store = new MemoryEventStore();
  const readModels = new StoredReadModels(new MemoryDocuments(), store, new ManualClock(0));
  return new AuditRows(
    {
      readStream: (_, { from = 0, limit = 0 } = {}) => Promise.resolve(events.slice(from, from + limit)),
    },
    readModels,
  );
}

function membersOf(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value as Record<string, JsonValue>).flatMap(membersOf);
  return Array.isArray(value) ? inside : [...Object.keys(value), ...inside];
}

it('has an action for each type of event that the service records', () => {
  const named = Object.entries(AUDIT_RULES).map(([category, { actions }]) => [
    category,
    Object.keys(actions).toSorted(),
  ]);
  const known = Object.entries(EVENT_TYPES).map(([category, types]) => [category, Object.keys(types).toSorted()]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(known));
});

it('names actions by a noun and a verb', () => {
  for (const action of AUDIT_ACTIONS) expect(action).toMatch(/^[a-z_]{2,40}\.[a-z_]{2,40}$/);
});

describe.each(AUDIT_CATEGORIES)('the rows of %s', category => {
  const events = recorded(category);
  const rows = rowsOver(events);

  it('are one for each event, show no secret, and hold at most 8 KiB', async () => {
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      const { id, body } = await rows.rowOf(event);
      const { id: eventId, stream, revision } = event;
      expect({ id, stream: body.stream, revision: body.revision }).toEqual({ id: eventId, stream, revision });
      const shown = [body.before, body.after].flatMap(membersOf);
      expect(shown.filter(name => SUSPECT.test(name) && !HARMLESS.has(name))).toEqual([]);
      for (const snapshot of [body.before, body.after])
        expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThanOrEqual(AUDIT_SNAPSHOT_BYTES);
    }
  });
});

it('cuts the longest member of a snapshot that is too long, and tells its size', async () => {
  const [first] = recorded('merchant');
  const event = {
    ...(first as RecordedEvent),
    data: { name: 'ä'.repeat(AUDIT_SNAPSHOT_BYTES), email: 'a@example.com' },
  };
  const { body } = await rowsOver([event]).rowOf(event);
  const bytes = 2 * AUDIT_SNAPSHOT_BYTES + 2;
  expect(body.after).toMatchObject({ name: { bytes, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string } });
  expect(body.after).toMatchObject({ email: 'a@example.com' });
});
