import { z } from 'zod';
import { refuse } from '../../../vocabulary/errors';
import { inShape, invalidResponse, post, postForLists, type Question } from '../http-post';
import type { ListReader } from '../json-lists';

/** Providers put request ids and advice into their messages; logs need the beginning. */
const MAX_ERROR_TEXT = 200;
/** Some nodes put a JSON-RPC error into a 400. */
const STATUSES = [200, 400];

const EXECUTION_REVERTED = 3;
/** Words of nodes, under various codes, for a failure of the contract itself. */
const EXECUTION_WORDS = /revert|opcode|out of ?gas|stack (?:over|under)flow|invalid jump|EVM error/i;

/** The node understood the request and would not serve it. The error is the cause of a refusal. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

export function isOfExecution({ code, message }: RpcError): boolean {
  return code === EXECUTION_REVERTED || EXECUTION_WORDS.test(message);
}

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ id: z.literal(1), result: z.unknown() }),
]);

export interface Rpc {
  /**
   * The result in `shape`. Throws Refusal provider_unavailable or provider_response_invalid, whose message names the
   * method.
   */
  call<T>(method: string, params: readonly unknown[], shape: z.ZodType<T>): Promise<T>;
}

export interface StreamingRpc extends Rpc {
  /**
   * The same for a result of any size, or of at most `mostBytes`, whose `lists` are read as they come. Paths begin at
   * the result, in which these lists are empty.
   */
  read<T>(
    method: string,
    params: readonly unknown[],
    shape: z.ZodType<T>,
    lists: readonly ListReader[],
    mostBytes?: number,
  ): Promise<T>;
}

/** One JSON-RPC 2.0 endpoint over HTTP POST. */
export class JsonRpc implements StreamingRpc {
  constructor(
    private readonly url: string,
    private readonly timeoutMs: number,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async call<T>(method: string, params: readonly unknown[], shape: z.ZodType<T>): Promise<T> {
    return inShape(method, resultIn(method, await post(this.question(method, params))), shape);
  }

  async read<T>(
    method: string,
    params: readonly unknown[],
    shape: z.ZodType<T>,
    lists: readonly ListReader[],
    mostBytes?: number,
  ): Promise<T> {
    const within = lists.map(({ path, take }) => ({ path: path === '' ? 'result' : `result.${path}`, take }));
    const answer = await postForLists(this.question(method, params), within, mostBytes);
    return inShape(method, resultIn(method, answer), shape);
  }

  private question(method: string, params: readonly unknown[]): Question {
    const { url, timeoutMs, headers } = this;
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return { url, method, body, headers, timeoutMs, statuses: STATUSES };
  }
}

function resultIn(method: string, given: unknown): unknown {
  const answer = answerSchema.safeParse(given);
  if (!answer.success) throw invalidResponse(method, 'is no JSON-RPC answer');
  if ('result' in answer.data) return answer.data.result;
  const { code, message } = answer.data.error;
  const cause = new RpcError(code, message.slice(0, MAX_ERROR_TEXT));
  throw refuse('provider_unavailable', { message: `${method} was refused: ${code} ${cause.message}`, cause });
}
