/** The mirrors that commands of this process are writing just now. */
export class MirrorsUnderWay {
  private readonly writing = new Set<Promise<void>>();

  async during(writing: Promise<void>): Promise<void> {
    this.writing.add(writing);
    try {
      await writing;
    } finally {
      this.writing.delete(writing);
    }
  }

  /** Resolves once the present ones are written, or left to the runner. */
  async written(): Promise<void> {
    await Promise.allSettled(this.writing);
  }
}
