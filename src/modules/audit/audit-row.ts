import { hash } from 'node:crypto';
import { invariant } from '../../kernel/invariant';
import type { RecordedEvent } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { JsonObject } from '../../vocabulary/json';
import { auditEntry, isSnapshotSized, snapshotBytes, type AuditEntryDocument } from './audit-entry';
import { auditRule } from './audit-rules';
import type { StateChange } from './audit-states';
import { withoutSecrets } from './secret-members';

/**
 * The row of an event: pure, so the log gives the same rows in any order and as often as it is read. `change` is the
 * state around the event, where the rule of the event shows it. Throws the refusals of `auditEntry`.
 */
export function auditRow(event: RecordedEvent, change: StateChange | null): Document<AuditEntryDocument> {
  const { id, stream, revision, metadata } = event;
  const rule = auditRule(event);
  invariant(rule, `the audit log has no action for ${event.type} of ${stream}`);
  const { before = null, after = null } = change ?? {};
  return auditEntry({
    id,
    occurred_at: metadata.occurred_at,
    actor: metadata.actor,
    action: rule.action,
    target_type: rule.target.type,
    target_id: rule.target.id,
    merchant_id: metadata.merchant_id,
    mode: metadata.mode,
    before: before && fitted(withoutSecrets(before)),
    after: fitted(withoutSecrets(after ? { ...after, ...event.data } : event.data)),
    ip: metadata.ip,
    request_id: metadata.request_id,
    stream,
    revision,
  });
}

/** The longest members give way to their size and hash, until the snapshot has its place. The event holds the whole. */
function fitted(snapshot: JsonObject): JsonObject {
  if (isSnapshotSized(snapshot)) return snapshot;
  const bySize = Object.entries(snapshot).sort(([, one], [, other]) => snapshotBytes(other) - snapshotBytes(one));
  let cut = snapshot;
  for (const [name, value] of bySize) {
    const sha256 = hash('sha256', JSON.stringify(value), 'hex');
    cut = { ...cut, [name]: { bytes: snapshotBytes(value), sha256 } };
    if (isSnapshotSized(cut)) break;
  }
  return cut;
}
