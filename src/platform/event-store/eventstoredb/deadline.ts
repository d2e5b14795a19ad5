import type { Clock } from '../../../kernel/clock';

export class DeadlineExceeded extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what}: no answer within ${limitMs} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Rejects with DeadlineExceeded once `limitMs` have passed; what the work comes to later is then heard by nobody. */
export async function within<T>(clock: Clock, limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = clock.wait(limitMs, over.signal).then((): never | undefined => {
    if (over.signal.aborted) return undefined;
    throw new DeadlineExceeded(what, limitMs);
  });
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return (await Promise.race([work, late])) as T;
  } finally {
    over.abort();
  }
}
