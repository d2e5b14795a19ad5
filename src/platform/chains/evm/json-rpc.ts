import { z } from 'zod';
import { isRefusal, refuse } from '../../../kernel/errors';

/** The logs of a busy token over the widest span take some megabytes. */
export const MAX_RESPONSE_BYTES = 16 * 1_024 * 1_024;
/** Providers put request ids and advice into their messages; logs need the beginning. */
const MAX_ERROR_TEXT = 200;

/** The node understood the request and would not serve it. Found as the cause of a refusal. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** The answer was longer than is read. Found as the cause of a refusal. */
export class ResponseTooLarge extends Error {
  constructor() {
    super(`more than ${MAX_RESPONSE_BYTES} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ id: z.literal(1), result: z.unknown() }),
]);

export interface Rpc {
  /** The result in `shape`. Throws Refusal provider_unavailable or provider_response_invalid, whose message names the method. */
  call<T>(method: string, params: readonly unknown[], shape: z.ZodType<T>): Promise<T>;
}

/** One JSON-RPC 2.0 endpoint over HTTP POST; redirects are not followed. */
export class JsonRpc implements Rpc {
  constructor(
    private readonly url: string,
    private readonly timeoutMs: number,
  ) {}

  async call<T>(method: string, params: readonly unknown[], shape: z.ZodType<T>): Promise<T> {
    const text = await this.post(method, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const answer = answerSchema.safeParse(parseJson(method, text));
    if (!answer.success) throw invalidResponse(method, 'is no JSON-RPC answer');
    if ('error' in answer.data) {
      const { code, message } = answer.data.error;
      const cause = new RpcError(code, message.slice(0, MAX_ERROR_TEXT));
      throw refuse('provider_unavailable', { message: `${method} was refused: ${code} ${cause.message}`, cause });
    }
    const result = shape.safeParse(answer.data.result);
    if (!result.success) throw invalidResponse(method, describe(result.error));
    return result.data;
  }

  private async post(method: string, body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await fetch(this.url, { method: 'POST', headers, body, redirect: 'error', signal });
      // Some nodes put a JSON-RPC error into a 400; every other status is the provider's front speaking.
      if (response.status !== 200 && response.status !== 400) {
        await response.body?.cancel();
        throw refuse('provider_unavailable', { message: `${method} was answered with status ${response.status}.` });
      }
      return await readBody(method, response);
    } catch (error) {
      if (isRefusal(error)) throw error;
      throw refuse('provider_unavailable', { message: `${method} got no complete answer.`, cause: error });
    }
  }
}

export function invalidResponse(method: string, fault: string, cause?: unknown) {
  return refuse('provider_response_invalid', { message: `The answer to ${method} ${fault}.`, cause });
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

function parseJson(method: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(method, 'is not JSON');
  }
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  return `has a bad shape at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? 'unknown'}`;
}
