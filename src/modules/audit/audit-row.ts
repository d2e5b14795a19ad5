import { hash } from 'node:crypto';
import { invariant } from '../../kernel/invariant';
import type { RecordedEvent } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { JsonObject } from '../../vocabulary/json';
import { AUDIT_SNAPSHOT_BYTES, auditEntry, snapshotBytes, type AuditEntryDocument } from './audit-entry';
import { auditRule } from './audit-rules';
import type { StateChange } from './audit-states';

/** Members of events that no row shows: hashes of passwords, keys and codes, sealed secrets, and keys of passkeys. */
const SECRETS: ReadonlySet<string> = new Set([
  'password_hash', 'totp_secret_sealed', 'code_hashes', 'code_hash', 'key_hash', 'sealed_secret', 'wrapped', 'credential_hash',
  'credential_id', 'public_key', 'nonce', 'challenge',
]); // prettier-ignore

/**
 * The row of an event: pure, so the log gives the same rows in any order and as often as it is read. `change` is the
 * state around the event, where the rule of the event shows it. Throws the refusals of `auditEntry`.
 */
export function auditRow(event: RecordedEvent, change: StateChange | null): Document<AuditEntryDocument> {
  const { id, stream, revision, metadata } = event;
  const rule = auditRule(event);
  invariant(rule, `the audit log has no action for ${event.type} of ${stream}`);
  const { before = null, after = {} } = change ?? {};
  return auditEntry({
    id,
    occurred_at: metadata.occurred_at,
    actor: metadata.actor,
    action: rule.action,
    target_type: rule.target.type,
    target_id: rule.target.id,
    merchant_id: metadata.merchant_id,
    mode: metadata.mode,
    before: before && fitted(shownOf(before)),
    after: fitted(shownOf({ ...after, ...event.data })),
    ip: metadata.ip,
    request_id: metadata.request_id,
    stream,
    revision,
  });
}

function shownOf(facts: JsonObject): JsonObject {
  const names = Object.keys(facts);
  if (!names.some(name => SECRETS.has(name))) return facts;
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !SECRETS.has(name)));
}

/** The longest members give way to their size and hash, until the snapshot has its place. The event holds the whole. */
function fitted(snapshot: JsonObject): JsonObject {
  if (snapshotBytes(snapshot) <= AUDIT_SNAPSHOT_BYTES) return snapshot;
  const bySize = Object.entries(snapshot).sort(([, one], [, other]) => snapshotBytes(other) - snapshotBytes(one));
  let cut = snapshot;
  for (const [name, value] of bySize) {
    const sha256 = hash('sha256', JSON.stringify(value), 'hex');
    cut = { ...cut, [name]: { bytes: snapshotBytes(value), sha256 } };
    if (snapshotBytes(cut) <= AUDIT_SNAPSHOT_BYTES) break;
  }
  return cut;
}
