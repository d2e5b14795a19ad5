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
/** An answer of which no more than this comes within the time of one call is as good as silent. */
const LEAST_BYTES_PER_TIMEOUT = 64 * 1_024;
/** However steadily it comes, an answer takes no longer than so many times the time of one call: 5 minutes at 10 s. */
const MOST_TIMEOUTS = 30;

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
      measured(response, mostBytes, limit.signal, chunk => {
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

/** Aborts when too little of an answer came within the time of one call, and when the whole takes too long. */
class TimeLimit {
  private readonly controller = new AbortController();
  private bytes = 0;
  private timeouts = 0;

  constructor(private readonly timeoutMs: number) {
    this.begin();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  count(bytes: number): void {
    this.bytes += bytes;
  }

  private begin(): void {
    this.bytes = 0;
    const stretch = AbortSignal.timeout(this.timeoutMs);
    const end = (): void => {
      if (this.bytes < LEAST_BYTES_PER_TIMEOUT || ++this.timeouts === MOST_TIMEOUTS)
        this.controller.abort(stretch.reason);
      else this.begin();
    };
    stretch.addEventListener('abort', end);
  }
}

async function* measured(
  response: Response,
  mostBytes: number,
  signal: AbortSignal,
  note: (chunk: Uint8Array) => void,
): Body {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  // The signal that fetch was given may no longer reach the body once the request has been collected as garbage.
  const leave = (): void => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave);
  let size = 0;
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.length;
      if (size > mostBytes) throw new ResponseTooLarge(mostBytes);
      note(read.value);
      yield read.value;
    }
    signal.throwIfAborted();
  } finally {
    // Leaving early closes the connection.
    leave();
  }
}
