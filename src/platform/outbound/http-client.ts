import { parseIsoTime, SECOND_MS } from '../../kernel/clock';

/** An answer that is slower than this within the time of one call counts as silent. */
const LEAST_BYTES_PER_TIMEOUT = 64 * 1_024;
const TOO_MANY_REQUESTS = 429;
/** Binance's answer to clients that continue after 429. */
const STILL_TOO_MANY_REQUESTS = 418;
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
  const limit = new TimeLimit(request);
  const { url, body, statuses, mostBytes } = request;
  const posted = body === undefined ? null : { 'content-type': 'application/json' };
  const response = await complete(
    fetch(url, {
      method: posted ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...request.headers, ...posted },
      ...(posted && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: limit.signal,
    }),
  );
  if (!statuses.includes(response.status)) {
    await response.body?.cancel().catch(() => undefined);
    throw pauseWanted(response) ?? new OtherStatus(response.status);
  }
  return read(measured(response, mostBytes, limit));
}

/** The whole of a body. */
export async function bytesOf(body: Body): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A date is compared with the date that the server sent along, so that no two clocks are compared. */
function pauseWanted({ status, headers }: Response): PauseWanted | null {
  const wanted = headers.get('retry-after') ?? '';
  const seconds = SECONDS.test(wanted) ? Number(wanted) : NaN;
  const namedMs = Number.isNaN(seconds) ? timeOf(wanted) - timeOf(headers.get('date') ?? '') : seconds * SECOND_MS;
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
    const { code, name, cause } = error as Error & { readonly code?: unknown; readonly cause?: { code?: unknown } };
    throw new NoAnswer([cause?.code, code, name].find(each => typeof each === 'string') ?? 'Error');
  }
}

/** Aborts when too little of an answer came within the time of one call, and when the whole answer takes too long. */
class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timeoutMs: number;
  private readonly mostTimeouts: number;
  private bytes = 0;
  private timeouts = 0;
  readonly signal: AbortSignal;

  constructor({ timeoutMs, mostTimeouts = 1, signal }: HttpRequest) {
    this.timeoutMs = timeoutMs;
    this.mostTimeouts = mostTimeouts;
    this.signal = signal ? AbortSignal.any([signal, this.controller.signal]) : this.controller.signal;
    this.begin();
  }

  count(bytes: number): void {
    this.bytes += bytes;
  }

  private begin(): void {
    this.bytes = 0;
    const stretch = AbortSignal.timeout(this.timeoutMs);
    const end = (): void => {
      if (this.bytes < LEAST_BYTES_PER_TIMEOUT || ++this.timeouts === this.mostTimeouts)
        this.controller.abort(stretch.reason);
      else this.begin();
    };
    stretch.addEventListener('abort', end);
  }
}

async function* measured(response: Response, mostBytes: number, limit: TimeLimit): Body {
  const { signal } = limit;
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  // The signal of the fetch may no longer reach the body once the request has been collected as garbage.
  const leave = (): void => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave);
  let size = 0;
  try {
    while (reader !== undefined) {
      const { done, value } = await complete(reader.read());
      if (done) break;
      size += value.length;
      if (size > mostBytes) throw new ResponseTooLarge(mostBytes);
      limit.count(value.length);
      yield value;
    }
    if (signal.aborted) throw new NoAnswer('TimeoutError');
  } finally {
    // An early leave closes the connection.
    leave();
  }
}
