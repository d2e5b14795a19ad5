import type { Readable } from 'node:stream';
import { parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { send, type Answer, type Sent } from './http-request';

/** An answer that is slower than this within the time of one call counts as silent. */
const LEAST_BYTES_PER_TIMEOUT = 64 * 1_024;
const TOO_MANY_REQUESTS = 429;
/** Binance's answer to clients that continue after 429. */
const STILL_TOO_MANY_REQUESTS = 418;
const REDIRECTS = [301, 302, 303, 307, 308];
const SECONDS = /^\d{1,9}$/;

/** `url` and `headers` may hold a key: neither is ever named, in an error or a log line. */
export type HttpRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Posted as JSON; a request without it is a GET. */
  readonly body?: unknown;
  /** Statuses whose body is the answer; any other status comes from the server's gateway. */
  readonly statuses: readonly number[];
  readonly timeoutMs: number;
  /** An answer that keeps coming has the time so many times over; by default once. */
  readonly mostTimeouts?: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
};

export type Body = AsyncIterable<Uint8Array>;

/** The answer was longer than the limit for reading. */
export class ResponseTooLarge extends Error {
  constructor(most: number) {
    super(`more than ${most} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/** The server's gateway answered. */
export class OtherStatus extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
    this.name = 'OtherStatus';
  }
}

/** The server asks for a pause, of a length that it may name. */
export class PauseWanted extends Error {
  constructor(
    readonly pauseMs: number | null,
    readonly status = TOO_MANY_REQUESTS,
  ) {
    super('no requests for a while');
    this.name = 'PauseWanted';
  }

  /** True where the cause is too many requests, not a server that is out of order and names its return. */
  get isTooOften(): boolean {
    return this.status === TOO_MANY_REQUESTS || this.status === STILL_TOO_MANY_REQUESTS;
  }
}

/** No answer came, or half of one. `code` is that of the fault, or its name, such as ECONNREFUSED or TimeoutError. */
export class NoAnswer extends Error {
  constructor(readonly code: string) {
    super(`it ended with ${code}`);
    this.name = 'NoAnswer';
  }
}

/**
 * One question to a server that the operator has named, by GET or POST; redirects are not followed. Answers the result
 * of `read` on the answer's body. Throws NoAnswer, OtherStatus, PauseWanted or ResponseTooLarge, and the errors of
 * `read`.
 */
export async function ask<T>(request: HttpRequest, read: (body: Body) => Promise<T>): Promise<T> {
  const { url, headers, body, statuses, mostBytes } = request;
  const limit = new TimeLimit(request);
  try {
    const answer = await complete(
      limit.hold(() => {
        if (body === undefined) return send(url, { ...headers }, null);
        return send(url, { ...headers, 'content-type': 'application/json' }, JSON.stringify(body));
      }),
    );
    try {
      if (statuses.includes(answer.status)) return await read(measured(answer.body, mostBytes, limit));
      if (REDIRECTS.includes(answer.status)) throw new NoAnswer('redirect');
      throw pauseWanted(answer) ?? new OtherStatus(answer.status);
    } finally {
      // An answer that is not read to its end closes the connection.
      answer.body.destroy();
    }
  } finally {
    limit.end();
  }
}

/** The whole of a body. */
export async function bytesOf(body: Body): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A date is compared with the date that the server sent along, so that no two clocks are compared. */
function pauseWanted({ status, headers }: Answer): PauseWanted | null {
  const wanted = headers['retry-after'] ?? '';
  const seconds = SECONDS.test(wanted) ? Number(wanted) : NaN;
  const namedMs = Number.isNaN(seconds) ? timeOf(wanted) - timeOf(headers.date ?? '') : seconds * SECOND_MS;
  if (namedMs >= 0) return new PauseWanted(namedMs, status);
  const isTooMany = status === TOO_MANY_REQUESTS || status === STILL_TOO_MANY_REQUESTS;
  return isTooMany ? new PauseWanted(null, status) : null;
}

/** NaN for a text that is no time. */
function timeOf(text: string): number {
  try {
    return parseIsoTime(text);
  } catch {
    return NaN;
  }
}

/** An error of `pending` may name the URL, and with it a key: only its code is kept. */
async function complete<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    const { code, name } = error as Error & { readonly code?: unknown };
    throw new NoAnswer([code, name].find(each => typeof each === 'string') ?? 'Error');
  }
}

/** Leaves when too little of an answer came within the time of one call, and when the whole answer takes too long. */
class TimeLimit {
  private readonly timeoutMs: number;
  private readonly mostTimeouts: number;
  private readonly signal: AbortSignal | undefined;
  private bytes = 0;
  private timeouts = 0;
  private stretch: NodeJS.Timeout | undefined;
  private sent: Sent | null = null;

  constructor({ timeoutMs, mostTimeouts = 1, signal }: HttpRequest) {
    this.timeoutMs = timeoutMs;
    this.mostTimeouts = mostTimeouts;
    this.signal = signal;
  }

  /** The answer to the question that `ask` sends. The limit begins now. */
  async hold(ask: () => Sent): Promise<Answer> {
    this.signal?.throwIfAborted();
    this.sent = ask();
    this.signal?.addEventListener('abort', this.leave);
    this.begin();
    return this.sent.answer;
  }

  count(bytes: number): void {
    this.bytes += bytes;
  }

  end(): void {
    clearTimeout(this.stretch);
    this.signal?.removeEventListener('abort', this.leave);
  }

  private begin(): void {
    this.bytes = 0;
    this.stretch = setTimeout(() => {
      if (this.bytes >= LEAST_BYTES_PER_TIMEOUT && ++this.timeouts < this.mostTimeouts) this.begin();
      else this.sent?.leave(new NoAnswer('TimeoutError'));
    }, this.timeoutMs).unref();
  }

  private readonly leave = (): void => this.sent?.leave(this.signal?.reason as Error);
}

async function* measured(body: Readable, mostBytes: number, limit: TimeLimit): Body {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let size = 0;
  for (;;) {
    const { done, value } = await complete(chunks.next());
    if (done) break;
    size += value.length;
    if (size > mostBytes) throw new ResponseTooLarge(mostBytes);
    limit.count(value.length);
    yield value;
  }
}
