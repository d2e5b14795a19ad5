import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * One read transaction for all reads of one turn of the event loop: locking takes a third of a small read. The
 * transaction ends before this process writes, so a read always sees earlier commits. Another process's commit is seen
 * from the next turn on.
 */
export class SharedView {
  private readonly beginning: StatementSyncInstance;
  private readonly ending: StatementSyncInstance;
  private isOpen = false;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.beginning = database.prepare('begin');
    this.ending = database.prepare('commit');
  }

  /** Begins nothing inside a write's own transaction. */
  begin(): void {
    if (this.isOpen || this.database.isTransaction) return;
    this.beginning.run();
    this.isOpen = true;
    setImmediate(() => this.end());
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // A failing file may have ended the transaction by itself.
    if (this.database.isTransaction) this.ending.run();
  }
}
