/** Acts of this process with the same key come one after the other, in the order in which they were asked for. */
export class TurnsByKey {
  private readonly lines = new Map<string, { readonly end: Promise<void>; readonly length: number }>();

  /** Acts with this key that have not ended. */
  length(key: string): number {
    return this.lines.get(key)?.length ?? 0;
  }

  run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key);
    const done = (line?.end ?? Promise.resolve()).then(act);
    const end = done.then(ignored, ignored).then(() => this.leave(key));
    this.lines.set(key, { end, length: this.length(key) + 1 });
    return done;
  }

  private leave(key: string): void {
    const line = this.lines.get(key);
    if (line && line.length > 1) this.lines.set(key, { ...line, length: line.length - 1 });
    else this.lines.delete(key);
  }
}

function ignored(): void {}
