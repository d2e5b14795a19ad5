import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * One read transaction for all reads of one turn of the event loop: a third of a small read is the locking around it.
 * It ends before this process writes, so a read always sees what was committed before; another process's commit is seen
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

  /** Inside a write's own transaction there is nothing to begin. */
  begin(): void {
    if (this.isOpen || this.database.isTransaction) return;
    this.beginning.run();
    this.isOpen = true;
    setImmediate(() => this.end());
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // A failing file may have ended it by itself.
    if (this.database.isTransaction) this.ending.run();
  }
}
