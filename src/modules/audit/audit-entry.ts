import { isIP } from 'node:net';
import { ACTOR_TYPES } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModel } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import type { JsonObject, JsonValue } from '../../vocabulary/json';
import type { Universe } from '../../vocabulary/modes';
import { isAuditAction } from './audit-rules';

const KNOWN_TYPES: readonly string[] = ACTOR_TYPES;

/** Characters of an action, of any other text, and bytes of a snapshot as JSON. */
export const AUDIT_ACTION_LENGTH = 64;
export const AUDIT_TEXT_LENGTH = 512;
export const AUDIT_SNAPSHOT_BYTES = 8 * 1_024;

/** An escaped character is `\u001f`, a long number `-1.7976931348623157e+308`. Marks: quotation, colon, comma. */
const LONGEST_CHARACTER_BYTES = 6;
const LONGEST_NUMBER_BYTES = 32;
const MARKS_BYTES = 4;

/** A row of the audit log. The document's id is that of the event, and its version never changes. */
export type AuditEntryDocument = {
  readonly occurred_at: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_role: string;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly merchant_id: string | null;
  readonly mode: Universe;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly stream: string;
  readonly revision: number;
};

/** The collection of the rows, for lists. No projection fills it: see AuditLog. */
export const auditEntries = {
  name: 'audit_entries',
  version: 1,
  indexes: {
    by_time: ['occurred_at', 'id'],
    by_actor: ['actor_id', 'occurred_at', 'id'],
    by_target: ['target_id', 'occurred_at', 'id'],
    by_action: ['action', 'occurred_at', 'id'],
    by_merchant: ['merchant_id', 'occurred_at', 'id'],
  },
  sparse: { by_merchant: 'merchant_id' },
} as const satisfies ReadModel<AuditEntryDocument>;

/** A row is written once. */
const VERSION = 0;

/** The parts of a row before they are checked. */
export type AuditFacts = Omit<AuditEntryDocument, 'before' | 'after' | 'actor_type' | 'actor_id' | 'actor_role'> & {
  readonly id: string;
  readonly actor: { readonly type: string; readonly id: string; readonly role: string } | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
};

/**
 * The row, checked. Throws Refusal actor_missing, audit_field_missing, audit_field_too_long, audit_field_invalid,
 * audit_actor_type_invalid, audit_action_invalid or audit_ip_invalid, in this order.
 */
export function auditEntry(facts: AuditFacts): Document<AuditEntryDocument> {
  const { id, actor } = facts;
  if (actor === null || actor.id === '') throw refuse('actor_missing');
  const { action, target_type, target_id, ip, occurred_at, merchant_id, mode, request_id, stream, revision } = facts;
  const texts = { id, action, target_type, target_id, actor: actor.id, role: actor.role };
  for (const [param, text] of Object.entries(texts)) {
    if (text === '') throw refuse('audit_field_missing', { param });
    if (text.length > (param === 'action' ? AUDIT_ACTION_LENGTH : AUDIT_TEXT_LENGTH))
      throw refuse('audit_field_too_long', { param });
  }
  const [before, after] = [snapshotOf('before', facts.before), snapshotOf('after', facts.after)];
  if (!KNOWN_TYPES.includes(actor.type)) throw refuse('audit_actor_type_invalid', { param: 'actor' });
  if (!isAuditAction(action)) throw refuse('audit_action_invalid', { param: 'action' });
  if (ip !== null && isIP(ip) === 0) throw refuse('audit_ip_invalid', { param: 'ip' });
  // Many rows wait at once, and a literal takes less memory than parts that are spread into one another.
  return {
    id,
    version: VERSION,
    body: {
      occurred_at,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_role: actor.role,
      action,
      target_type,
      target_id,
      merchant_id,
      mode,
      before,
      after,
      ip,
      request_id,
      stream,
      revision,
    },
  };
}

function snapshotOf(param: string, value: JsonValue): JsonObject | null {
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw refuse('audit_field_invalid', { param });
  if (!isSnapshotSized(value)) throw refuse('audit_field_too_long', { param });
  return value as JsonObject;
}

/** Most snapshots are so short that their characters are counted, and nothing is written out to be measured. */
export function isSnapshotSized(value: JsonValue): boolean {
  return mostBytes(value) <= AUDIT_SNAPSHOT_BYTES || snapshotBytes(value) <= AUDIT_SNAPSHOT_BYTES;
}

export function snapshotBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The bytes that JSON needs at most, with commas, colons and quotation marks. */
function mostBytes(value: JsonValue): number {
  if (typeof value === 'string') return LONGEST_CHARACTER_BYTES * value.length + MARKS_BYTES;
  if (typeof value !== 'object' || value === null) return LONGEST_NUMBER_BYTES;
  let bytes = MARKS_BYTES;
  for (const name of Object.keys(value))
    bytes += LONGEST_CHARACTER_BYTES * name.length + MARKS_BYTES + mostBytes((value as JsonObject)[name] as JsonValue);
  return bytes;
}
