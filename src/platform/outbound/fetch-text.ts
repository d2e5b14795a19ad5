import { SECOND_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../kernel/errors';

const MAX_BODY_BYTES = 512 * 1_024;
const DEFAULT_TIMEOUT_MS = 8 * SECOND_MS;
const OK: readonly number[] = [200];
/** 429 is everybody's, 418 is what Binance answers to those who went on after it. */
const TOO_MANY: readonly number[] = [429, 418];
const SECONDS_PATTERN = /^\d{1,6}$/;

export type TextRequest = {
  /** Named in every error. */
  readonly source: string;
  /** May hold a key: it is never named. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Statuses whose body is an answer; 200 unless told. */
  readonly statuses?: readonly number[];
};

/**
 * The source wants to be asked less often. Found as the cause of a refusal; `retryAfterMs` is what it asked for, if it
 * did.
 */
export class TooManyRequests extends Error {
  constructor(readonly retryAfterMs: number | null) {
    super('too many requests');
    this.name = 'TooManyRequests';
  }
}

/**
 * The body of an answer to GET, at most 512 KiB; redirects are not followed. Throws Refusal provider_unavailable where
 * no such answer comes in time, provider_response_invalid where it is too long.
 */
export async function fetchText(request: TextRequest): Promise<string> {
  const { source, url, timeoutMs = DEFAULT_TIMEOUT_MS, statuses = OK } = request;
  const headers = { accept: 'application/json', ...request.headers };
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal });
    if (!statuses.includes(response.status)) {
      await response.body?.cancel();
      const cause = TOO_MANY.includes(response.status) ? new TooManyRequests(retryAfterMs(response)) : undefined;
      throw refuse('provider_unavailable', { message: `${source} answered with status ${response.status}.`, cause });
    }
    return await readBody(source, response);
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw refuse('provider_unavailable', { message: `${source} gave no complete answer.`, cause: error });
  }
}

/** Null without the header, and where it holds a date. */
function retryAfterMs(response: Response): number | null {
  const seconds = response.headers.get('retry-after') ?? '';
  return SECONDS_PATTERN.test(seconds) ? Number(seconds) * SECOND_MS : null;
}

async function readBody(source: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw refuse('provider_response_invalid', {
        message: `${source} answered with more than ${MAX_BODY_BYTES} bytes.`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
