import { SECOND_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { ask, bytesOf, OtherStatus, PauseWanted, ResponseTooLarge } from './http-client';

const MAX_BODY_BYTES = 512 * 1_024;
const DEFAULT_TIMEOUT_MS = 8 * SECOND_MS;
const OK: readonly number[] = [200];

type TextRequest = {
  /** The name in every error. */
  readonly source: string;
  /** The URL may hold a key, so it is never named. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Statuses whose body is an answer; by default 200. */
  readonly statuses?: readonly number[];
};

/**
 * The body of an answer to GET, at most 512 KiB. Throws Refusal provider_unavailable where none comes in time. Its
 * cause is PauseWanted where the source wants to be asked less often. Throws Refusal provider_response_invalid where
 * the answer is too long.
 */
export async function fetchText(request: TextRequest): Promise<string> {
  const { source, timeoutMs = DEFAULT_TIMEOUT_MS, statuses = OK } = request;
  try {
    const bytes = await ask({ ...request, timeoutMs, statuses, mostBytes: MAX_BODY_BYTES }, bytesOf);
    return bytes.toString('utf8');
  } catch (error) {
    throw refusalOf(source, error);
  }
}

function refusalOf(source: string, cause: unknown): Error {
  if (isRefusal(cause)) return cause;
  if (cause instanceof ResponseTooLarge) {
    const message = `${source} answered with more than ${MAX_BODY_BYTES} bytes.`;
    return refuse('provider_response_invalid', { message, cause });
  }
  const isStatus = cause instanceof OtherStatus || cause instanceof PauseWanted;
  const fault = isStatus ? `answered with status ${cause.status}` : 'gave no complete answer';
  return refuse('provider_unavailable', { message: `${source} ${fault}.`, cause });
}
