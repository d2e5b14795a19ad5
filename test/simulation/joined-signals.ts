import { setMaxListeners } from 'node:events';

/**
 * Does `run` while `AbortSignal.any` gives signals that are kept by their sources alone. Node's own are kept, with all
 * that their listeners refer to, until they abort or nobody listens. The listeners of a process that was killed never
 * leave, and hundreds of them would fill the memory from one seed to the next.
 */
export async function withPassingSignals<T>(run: () => Promise<T>): Promise<T> {
  const { any } = AbortSignal;
  AbortSignal.any = joined;
  try {
    return await run();
  } finally {
    AbortSignal.any = any;
  }
}

function joined(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = (): void => controller.abort(signal.reason);
    setMaxListeners(0, signal);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return controller.signal;
}
