import { SECOND_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../kernel/errors';

const MAX_BODY_BYTES = 512 * 1_024;
const DEFAULT_TIMEOUT_MS = 8 * SECOND_MS;

export type RateRequest = {
  /** Named in every error. */
  readonly source: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
};

/**
 * The body of a 200 answer, at most 512 KiB; redirects are not followed.
 * Throws Refusal provider_unavailable where no such answer comes in time, provider_response_invalid where it is too long.
 */
export async function fetchText(request: RateRequest): Promise<string> {
  const { source, url, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  const headers = { accept: 'application/json', ...request.headers };
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refuse('provider_unavailable', { message: `${source} answered with status ${response.status}.` });
    }
    return await readBody(source, response);
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw refuse('provider_unavailable', { message: `${source} gave no complete answer.`, cause: error });
  }
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
