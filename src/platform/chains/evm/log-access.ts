/** Reads by receipts, which cost much more, before a provider without logs is asked for logs again. */
const READS_UNTIL_RETRY = 100;
/** Questions for logs, one after the other, that a provider fails while it answers others. */
const MOST_MISSES = 8;

/** Remembers whether a provider gives logs at all. */
export class LogAccess {
  private receiptsLeft = 0;
  private misses = 0;

  /** Counts the reads while the access is closed. */
  isOpen(): boolean {
    if (this.receiptsLeft === 0) return true;
    this.receiptsLeft -= 1;
    return false;
  }

  get isClosed(): boolean {
    return this.receiptsLeft > 0;
  }

  /** Notes that the provider gave no logs, for no reason in the question. */
  miss(): void {
    this.misses += 1;
    if (this.misses >= MOST_MISSES) this.close();
  }

  found(): void {
    this.misses = 0;
  }

  close(): void {
    this.receiptsLeft = READS_UNTIL_RETRY;
  }
}
