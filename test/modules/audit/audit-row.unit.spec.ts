import type { RecordedEvent } from '../../../src/kernel/event';
import { AUDIT_SNAPSHOT_BYTES } from '../../../src/modules/audit/audit-entry';
import { auditRow } from '../../../src/modules/audit/audit-row';
import type { JsonObject } from '../../../src/vocabulary/json';

function after(data: JsonObject): JsonObject | null {
  const metadata = { actor: { type: 'admin', id: 'adm_1', role: 'admin' }, mode: 'platform', ip: null };
  const event = { id: 'one', type: 'KillSwitchSet', stream: 'platform.kill_switch-network:tron', revision: 0 };
  return auditRow({ ...event, data, metadata } as never as RecordedEvent, null).body.after;
}

it('shows no secret member, at any depth, and everything else', () => {
  const shown = { note: 'x', list: [1, { deep: true }], none: null };
  expect(after(shown)).toEqual(shown);
  expect(
    after({ ...shown, codeHash: 'c', list: [1, { deep: true, Password_Hash: 'p' }], more: { nonce: 'n' } }),
  ).toEqual({
    ...shown,
    more: {},
  });
});

// Each character takes six bytes as JSON, two as UTF-8, or one.
it.each([
  ['\u0001', 6],
  ['é', 2],
  ['x', 1],
])('fits a snapshot of %j by its bytes, and the largest member gives way', (character, bytes) => {
  const frame = '{"a":"","b":1}'.length;
  const most = Math.floor((AUDIT_SNAPSHOT_BYTES - frame) / bytes);
  const fits = { a: character.repeat(most), b: 1 };
  expect(after(fits)).toEqual(fits);
  expect(after({ a: character.repeat(most + 1), b: 1 })).toEqual({
    a: { bytes: (most + 1) * bytes + 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    b: 1,
  });
});
