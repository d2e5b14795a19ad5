import { AuditLog } from '../modules/audit/audit-log';
import { AuditGroup } from '../processes/audit/audit-group';
import { AuditRows } from '../processes/audit/audit-rows';
import type { Core } from './core';

export type Audit = { readonly group: AuditGroup; readonly log: AuditLog };

export async function composeAudit({
  store,
  documents,
  readModels,
  clock,
}: Pick<Core, 'store' | 'documents' | 'readModels' | 'clock'>): Promise<Audit> {
  const log = await AuditLog.open(documents, clock);
  return { log, group: new AuditGroup(new AuditRows(store, readModels), log) };
}
