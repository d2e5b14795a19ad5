import type { RecordedEvent } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { EventStore } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { AuditEntryDocument } from '../../modules/audit/audit-entry';
import { auditRow } from '../../modules/audit/audit-row';
import { auditRule } from '../../modules/audit/audit-rules';
import { needsOneBefore, stateChange } from '../../modules/audit/audit-states';

/** Makes the row of an event. Only an event whose row shows the state needs its stream, up to the event. */
export class AuditRows {
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly readModels: Pick<ReadModels, 'fold'>,
  ) {}

  async rowOf(event: RecordedEvent): Promise<Document<AuditEntryDocument>> {
    const state = auditRule(event)?.state ?? null;
    if (state === null) return auditRow(event, null);
    const { stream, revision } = event;
    const from = needsOneBefore(state) ? Math.max(0, revision - 1) : 0;
    const before = revision === 0 ? [] : await this.store.readStream(stream, { from, limit: revision - from });
    const fold: ReadModels['fold'] = (readModel, history) => this.readModels.fold(readModel, history);
    return auditRow(event, stateChange(state, [...before, event], fold));
  }
}
