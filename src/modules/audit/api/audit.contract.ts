import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  anyObject,
  constant,
  listOf,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { UNIVERSES } from '../../../vocabulary/modes';

const AUDIT_ENTRY = resource('audit_entry', 'The record of one event or sign-in', {
  id: text('The id of the event'),
  object: constant('audit_entry'),
  occurred_at: timestamp(),
  actor: record({ type: oneOfTexts<string>(['user', 'admin', 'api_key', 'system']), id: text(), role: text() }),
  action: text('Noun and verb', 'hold.release'),
  target: record({ type: text(), id: text() }),
  merchant_id: nullable(text()),
  mode: oneOfTexts(UNIVERSES, 'platform: above the modes'),
  before: nullable(anyObject('The members that the event has changed, as they were')),
  after: nullable(anyObject('The same members, as they are since')),
  ip: nullable(text()),
  request_id: nullable(text()),
  stream: text(),
  revision: whole('The event’s place in its stream', 3),
});

export type AuditEntryResource = Answer<typeof AUDIT_ENTRY>;

const FILTERS = Object.fromEntries(
  ['actor', 'target', 'action', 'merchant', 'from', 'to'].map(name => [name, text()] as const),
);

export const AUDIT_OPERATIONS = {
  list: {
    id: 'listAuditEntries',
    summary: 'List the entries of the audit log, the newest first',
    answer: listOf(AUDIT_ENTRY),
    paged: true,
    query: { ...FILTERS, mode: oneOfTexts(UNIVERSES) },
    refuses: ['invalid_filter', 'invalid_timestamp', 'invalid_range'],
  },
  export: {
    id: 'exportAuditEntries',
    summary: 'Export the entries that pass the filters as a file',
    answer: AUDIT_ENTRY,
    isFile: true,
    query: { ...FILTERS, mode: oneOfTexts(UNIVERSES), format: oneOfTexts(['csv', 'jsonl']) },
    refuses: ['invalid_filter', 'invalid_timestamp', 'invalid_range', 'rate_limit'],
  },
} as const satisfies OperationTable;
