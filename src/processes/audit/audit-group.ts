import type { GroupMessage } from '../../kernel/ports/event-store';
import type { AuditLog } from '../../modules/audit/audit-log';
import type { AuditRows } from './audit-rows';

/** Messages that are under way at once: more than the rows of a write, so that a write never waits for room. */
export const AUDIT_MESSAGES_AT_ONCE = 256;

/** Writes the row of each event. Safe for any message, in any order and as often as it comes. */
export class AuditGroup {
  constructor(
    private readonly rows: AuditRows,
    private readonly log: AuditLog,
  ) {}

  /** Throws Refusal append_only_violation where another row stands for the event, and the refusals of a row. */
  async handle({ event }: GroupMessage): Promise<void> {
    await this.log.record(await this.rows.rowOf(event));
  }
}
