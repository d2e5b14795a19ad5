import type { Clock } from '../../kernel/clock';
import type { Collection, Document, Documents, ListQuery } from '../../kernel/ports/documents';
import { refuse } from '../../vocabulary/errors';
import { canonicalJson } from '../../vocabulary/json';
import { auditEntries, type AuditEntryDocument } from './audit-entry';

/**
 * Rows wait so long for others, or until so many wait. A row in a write of its own costs ten times the CPU of a row
 * among a hundred.
 */
const GATHERING_MS = 250;
const ROWS_PER_WRITE = 200;

type Row = Document<AuditEntryDocument>;
type Waiting = { readonly row: Row; readonly done: () => void; readonly failed: (error: unknown) => void };

/** The rows of the audit log, which are inserted and never changed. */
export class AuditLog {
  private readonly waiting: Waiting[] = [];
  private isWriting = false;
  private gathering = new AbortController();
  private mayGather = true;

  private constructor(
    private readonly rows: Pick<Collection<AuditEntryDocument>, 'get' | 'getAll' | 'list' | 'insertAll'>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Pick<Documents, 'open'>, clock: Clock): Promise<AuditLog> {
    return new AuditLog(await documents.open<AuditEntryDocument>(auditEntries), clock);
  }

  /** No row waits for others once the signal aborts. */
  gatherUntil(signal: AbortSignal): void {
    const end = (): void => {
      this.mayGather = false;
      this.gathering.abort();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }

  /** The same row may come again. Throws Refusal append_only_violation where another row has its id. */
  record(row: Row): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.waiting.push({ row, done, failed });
      if (this.waiting.length >= ROWS_PER_WRITE) this.gathering.abort();
      if (!this.isWriting) void this.writeAll();
    });
  }

  get(_: unknown, __: unknown, id: string): Promise<Row | null> {
    return this.rows.get(id);
  }

  list(_: unknown, query: ListQuery): Promise<readonly Row[]> {
    return this.rows.list(query);
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      await this.gathered();
      const batch = this.waiting.splice(0, ROWS_PER_WRITE);
      try {
        const violated = await this.insert(batch.map(({ row }) => row));
        for (const { row, done, failed } of batch) {
          if (violated.has(row.id)) failed(refuse('append_only_violation', { param: row.id }));
          else done();
        }
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.isWriting = false;
  }

  private async gathered(): Promise<void> {
    if (!this.mayGather || this.waiting.length >= ROWS_PER_WRITE) return;
    this.gathering = new AbortController();
    await this.clock.wait(GATHERING_MS, this.gathering.signal);
  }

  /** Answers the ids under which another row stands. */
  private async insert(rows: readonly Row[]): Promise<ReadonlySet<string>> {
    const taken = await this.rows.insertAll(rows);
    if (taken.length === 0) return new Set();
    const standing = new Map((await this.rows.getAll(taken)).map(({ id, body }) => [id, canonicalJson(body)]));
    const others = rows.filter(({ id, body }) => standing.has(id) && standing.get(id) !== canonicalJson(body));
    return new Set(others.map(({ id }) => id));
  }
}
