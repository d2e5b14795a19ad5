/** Reads by receipts, which cost much more, before a provider without logs is asked for logs again. */
const READS_UNTIL_RETRY = 100;

/** Whether a provider gives logs at all, as far as is known. */
export class LogAccess {
  private receiptsLeft = 0;

  /** Counts the reads while it is closed. */
  isOpen(): boolean {
    if (this.receiptsLeft === 0) return true;
    this.receiptsLeft -= 1;
    return false;
  }

  close(): void {
    this.receiptsLeft = READS_UNTIL_RETRY;
  }
}
