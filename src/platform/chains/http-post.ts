import type { z } from 'zod';
import { parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../kernel/errors';
import { parseLists, PieceTooLarge, type ListReader } from './json-lists';

/** An answer that is parsed whole: a block with the hashes of its transactions takes two megabytes at most. */
export const MAX_RESPONSE_BYTES = 16 * 1_024 * 1_024;
/**
 * An answer that is read in parts. A byte of it costs its maker about a unit of gas, of which the largest blocks hold
 * less than half as many.
 */
const MOST_STREAMED_BYTES = 1_024 * 1_024 * 1_024;
/** So much of an answer has the time of one call: a longer one has more of it. */
const BYTES_PER_TIMEOUT = 16 * 1_024 * 1_024;

/** The answer was longer than is read. Found as the cause of a refusal. */
export class ResponseTooLarge extends Error {
  constructor(most: number) {
    super(`more than ${most} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/** Found as the cause of a refusal. */
export class NotJson extends Error {
  /** `head` is how the text begins. */
  constructor(readonly head: string) {
    super('not JSON');
    this.name = 'NotJson';
  }
}

const HEAD_BYTES = 200;
const TOO_MANY_REQUESTS = 429;
const SECONDS = /^\d{1,9}$/;

/** The provider wants to be left alone for a while: for how long, if it says. Found as the cause of a refusal. */
export class PauseWanted extends Error {
  constructor(readonly pauseMs: number | null) {
    super('no requests for a while');
    this.name = 'PauseWanted';
  }
}

/** Answered by the provider's front, not by the node. Found as the cause of a refusal. */
export class OtherStatus extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
    this.name = 'OtherStatus';
  }
}

/** `url` and `headers` may hold a key: only `method`, what is asked for, is ever named. */
export type Question = {
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Statuses whose body is the node's answer; any other is its front speaking. */
  readonly statuses: readonly number[];
};

/**
 * The JSON that one provider answers by HTTP POST; redirects are not followed. Throws Refusal provider_unavailable or
 * provider_response_invalid.
 */
export function post(question: Question): Promise<unknown> {
  return answerTo(question, MAX_RESPONSE_BYTES, async body => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  });
}

/** The same for an answer of any size, whose `lists` are read as they come: in the answer they are empty. */
export function postForLists(
  question: Question,
  lists: readonly ListReader[],
  mostBytes = MOST_STREAMED_BYTES,
): Promise<unknown> {
  return answerTo(question, mostBytes, body => parseLists(body, lists));
}

type Body = AsyncIterable<Uint8Array>;

async function answerTo(
  question: Question,
  mostBytes: number,
  parse: (body: Body) => Promise<unknown>,
): Promise<unknown> {
  const { url, method, body, headers, timeoutMs, statuses } = question;
  const limit = new TimeLimit(timeoutMs);
  let head = '';
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: limit.signal,
    });
    if (!statuses.includes(response.status)) {
      await response.body?.cancel();
      const message = `${method} was answered with status ${response.status}.`;
      throw refuse('provider_unavailable', {
        message,
        cause: pauseWanted(response) ?? new OtherStatus(response.status),
      });
    }
    return await parse(
      measured(response, mostBytes, chunk => {
        if (head.length < HEAD_BYTES) head += Buffer.from(chunk).toString('utf8', 0, HEAD_BYTES);
        limit.count(chunk.length);
      }),
    );
  } catch (error) {
    if (isRefusal(error)) throw error;
    if (error instanceof SyntaxError) throw invalidResponse(method, 'is not JSON', new NotJson(head));
    if (error instanceof ResponseTooLarge || error instanceof PieceTooLarge)
      throw invalidResponse(method, 'is too long', error);
    throw refuse('provider_unavailable', { message: `${method} got no complete answer.`, cause: error });
  }
}

export function invalidResponse(method: string, fault: string, cause?: unknown) {
  return refuse('provider_response_invalid', { message: `The answer to ${method} ${fault}.`, cause });
}

/** `answer` in `shape`. Throws Refusal provider_response_invalid that names the first misfit. */
export function inShape<T>(method: string, answer: unknown, shape: z.ZodType<T>): T {
  const result = shape.safeParse(answer);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue?.path.join('.') || 'its top';
  throw invalidResponse(method, `has a bad shape at ${place}: ${issue?.message ?? 'unknown'}`);
}

/** A date is held against the one that the provider sent along, so that no two clocks are compared. */
function pauseWanted({ status, headers }: Response): PauseWanted | undefined {
  const wanted = headers.get('retry-after') ?? '';
  const seconds = SECONDS.test(wanted) ? Number(wanted) : NaN;
  const namedMs = Number.isNaN(seconds) ? timeOf(wanted) - timeOf(headers.get('date') ?? '') : seconds * SECOND_MS;
  if (namedMs >= 0) return new PauseWanted(namedMs);
  return status === TOO_MANY_REQUESTS ? new PauseWanted(null) : undefined;
}

/** NaN for what is no time. */
function timeOf(text: string): number {
  try {
    return parseIsoTime(text);
  } catch {
    return NaN;
  }
}

/** Each stretch of the answer has the time of one call. */
class TimeLimit {
  private readonly controller = new AbortController();
  private current: AbortSignal | null = null;
  private bytesLeft = 0;

  constructor(private readonly timeoutMs: number) {
    this.begin();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  count(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft <= 0) this.begin();
  }

  private begin(): void {
    this.bytesLeft = BYTES_PER_TIMEOUT;
    const limit = AbortSignal.timeout(this.timeoutMs);
    this.current = limit;
    limit.addEventListener('abort', () => {
      if (this.current === limit) this.controller.abort(limit.reason);
    });
  }
}

async function* measured(response: Response, mostBytes: number, note: (chunk: Uint8Array) => void): Body {
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of (response.body ?? []) as Body) {
    size += chunk.length;
    if (size > mostBytes) throw new ResponseTooLarge(mostBytes);
    note(chunk);
    yield chunk;
  }
}
