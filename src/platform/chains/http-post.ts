import type { z } from 'zod';
import { parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../kernel/errors';

/** The logs of a busy token over the widest span take some megabytes. */
export const MAX_RESPONSE_BYTES = 16 * 1_024 * 1_024;

/** The answer was longer than is read. Found as the cause of a refusal. */
export class ResponseTooLarge extends Error {
  constructor() {
    super(`more than ${MAX_RESPONSE_BYTES} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

const TOO_MANY_REQUESTS = 429;
const SECONDS = /^\d{1,9}$/;

/** The provider wants to be left alone for a while: for how long, if it says. Found as the cause of a refusal. */
export class PauseWanted extends Error {
  constructor(readonly pauseMs: number | null) {
    super('no requests for a while');
    this.name = 'PauseWanted';
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

/** The text that one provider answers by HTTP POST; redirects are not followed. Throws Refusal provider_unavailable or provider_response_invalid. */
export async function post({ url, method, body, headers, timeoutMs, statuses }: Question): Promise<string> {
  const all = { ...headers, 'content-type': 'application/json', accept: 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: all,
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
    if (!statuses.includes(response.status)) {
      await response.body?.cancel();
      const message = `${method} was answered with status ${response.status}.`;
      throw refuse('provider_unavailable', { message, cause: pauseWanted(response) });
    }
    return await readBody(method, response);
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw refuse('provider_unavailable', { message: `${method} got no complete answer.`, cause: error });
  }
}

export function invalidResponse(method: string, fault: string, cause?: unknown) {
  return refuse('provider_response_invalid', { message: `The answer to ${method} ${fault}.`, cause });
}

export function parseJson(method: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(method, 'is not JSON');
  }
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

async function readBody(method: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw invalidResponse(method, 'is too long', new ResponseTooLarge());
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
