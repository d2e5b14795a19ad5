import type { Clock } from '../../../kernel/clock';

/** A constant as the reason of an abort spares the error with a stack that node would make. */
const ENDED = 'ended';

export class DeadlineExceeded extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what}: no answer within ${limitMs} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Rejects with DeadlineExceeded once `limitMs` have passed; a later end of the work is then ignored. */
export function within<T>(clock: Clock, limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (): void => over.abort(ENDED);
    work.then(resolve, reject);
    work.then(end, end);
    void clock.wait(limitMs, over.signal).then(() => {
      if (!over.signal.aborted) reject(new DeadlineExceeded(what, limitMs));
    });
  });
}
