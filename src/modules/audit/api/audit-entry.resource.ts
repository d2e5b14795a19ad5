import type { Document } from '../../../kernel/ports/documents';
import type { JsonObject } from '../../../vocabulary/json';
import type { CsvColumn } from '../../exports/csv-record';
import type { AuditEntryDocument } from '../audit-entry';
import type { AuditEntryResource } from './audit.contract';

export function presentEntry({ id, body }: Document<AuditEntryDocument>): AuditEntryResource {
  const { occurred_at, action, merchant_id, mode, before, after, ip, request_id, stream, revision } = body;
  return {
    id,
    object: 'audit_entry',
    occurred_at,
    actor: { type: body.actor_type, id: body.actor_id, role: body.actor_role },
    action,
    target: { type: body.target_type, id: body.target_id },
    ...{ merchant_id, mode, before, after, ip, request_id, stream, revision },
  };
}

const NAMES: readonly ('id' | keyof AuditEntryDocument)[] = [
  'id', 'occurred_at', 'actor_type', 'actor_id', 'actor_role', 'action', 'target_type', 'target_id', 'merchant_id',
  'mode', 'before', 'after', 'ip', 'request_id', 'stream', 'revision',
]; // prettier-ignore

/** A column for each member of a row. */
export const AUDIT_COLUMNS: readonly CsvColumn[] = NAMES.map(name => ({ name, isNumber: name === 'revision' }));

export function csvRow({ id, body }: Document<AuditEntryDocument>): JsonObject {
  return { id, ...body };
}
