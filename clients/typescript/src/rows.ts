import type { HttpAnswer } from './answer';
import { ConnectionError, UnexpectedAnswerError } from './errors';
import type { TimeLimit } from './limits';

/** An answer whose body is still on its way. */
export interface BegunAnswer {
  readonly answer: HttpAnswer;
  /** Runs while the client waits for a part. */
  readonly limit: TimeLimit;
  /** The caller's own end of the call. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The rows of a file, which are read as they come. Each iteration asks for the file anew. A file that breaks off is a
 * ConnectionError, and its rows so far are not all of it.
 *
 *     for await (const payment of client.exports.payments({ from: '2026-10-01T00:00:00Z' })) …
 */
export class Rows<T> implements AsyncIterable<T> {
  readonly #begin: () => Promise<BegunAnswer>;

  constructor(begin: () => Promise<BegunAnswer>) {
    this.#begin = begin;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const begun = await this.#begin();
    try {
      for await (const line of linesOf(begun)) yield rowOf<T>(line, begun.answer.status);
    } finally {
      begun.limit.stop();
    }
  }
}

/** Every line has its end: without it, the file is not whole. */
async function* linesOf({ answer, limit, signal }: BegunAnswer): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const part of answer.body ?? []) {
      limit.stop();
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      limit.start();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError('the file broke off', { cause: error });
  }
  if (rest !== '') throw new ConnectionError('the file broke off within a row');
}

function rowOf<T>(line: string, status: number): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new UnexpectedAnswerError(status);
  }
}
