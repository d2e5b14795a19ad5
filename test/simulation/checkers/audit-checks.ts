import { UPCASTS } from '../../../src/composition/aggregates';
import type { RecordedEvent } from '../../../src/kernel/event';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { upcastingStore } from '../../../src/kernel/upcasting';
import { checkAudit } from '../../../src/processes/audit/audit-check';
import { AuditRows } from '../../../src/processes/audit/audit-rows';
import { StoredReadModels } from '../../../projections/runner/read-models';
import type { Outside } from '../outside';

/** The audit log has its row for every event, and no other row. */
export async function everyEventIsAudited(
  { disk, documents }: Outside,
  events: readonly RecordedEvent[],
): Promise<string[]> {
  const store = upcastingStore(disk.log, UPCASTS);
  const clock = { now: () => 0, wait: () => Promise.resolve() };
  const rows = new AuditRows(store, new StoredReadModels(documents, store, clock));
  const check = await checkAudit({ store, documents, rows, signal: new AbortController().signal });
  const { faultsFound, surplus } = check;
  // The group looks at the log once in a while, so it may not have seen the last events.
  const group = disk.groups.get('audit');
  const { events: unseen } = disk.log.page('all', group?.position ?? START_OF_LOG);
  const late = new Set([...unseen, ...(group?.waiting ?? []).map(({ event }) => event)].map(({ id }) => id));
  const faults = check.faults.filter(({ id, kind }) => kind !== 'missing' || !late.has(id));
  const found = faults.map(({ id, kind }) => `the audit row of the event ${id} is ${kind}`);
  if (faultsFound > check.faults.length) found.push(`${faultsFound} audit rows are at fault`);
  if (surplus > 0) found.push(`${surplus} audit rows are of no event`);
  if (check.events < events.length) found.push(`the audit log knows ${check.events} of ${events.length} events`);
  return found;
}
