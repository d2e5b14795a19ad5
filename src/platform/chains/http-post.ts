import type { z } from 'zod';
import { isRefusal, refuse } from '../../vocabulary/errors';
import {
  ask,
  bytesOf,
  OtherStatus,
  PauseWanted,
  ResponseTooLarge,
  type Body,
  type HttpRequest,
} from '../outbound/http-client';
import { parseLists, PieceTooLarge, type ListReader } from './json-lists';

/**
 * The greatest answer that is parsed whole. A block with the hashes of its transactions takes two megabytes at most.
 */
export const MAX_RESPONSE_BYTES = 16 * 1_024 * 1_024;
/**
 * The greatest answer that is read in parts. A byte of it costs its maker about a unit of gas. The largest blocks hold
 * less than half as many units.
 */
const MOST_STREAMED_BYTES = 1_024 * 1_024 * 1_024;
/** The greatest time of an answer that comes steadily, as a multiple of the time of one call: 5 minutes at 10 s. */
const MOST_TIMEOUTS = 30;

/** The error is the cause of a refusal. */
export class NotJson extends Error {
  /** `head` is the beginning of the text. */
  constructor(readonly head: string) {
    super('not JSON');
    this.name = 'NotJson';
  }
}

const HEAD_BYTES = 200;

/** `url` and `headers` may hold a key, so only `method` is ever named. */
export type Question = Pick<HttpRequest, 'url' | 'body' | 'timeoutMs' | 'statuses'> & {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The JSON that one provider answers by HTTP POST. Throws Refusal provider_unavailable or provider_response_invalid,
 * with the HTTP client's error as its cause.
 */
export function post(question: Question): Promise<unknown> {
  return answerTo(question, MAX_RESPONSE_BYTES, async body => JSON.parse((await bytesOf(body)).toString('utf8')));
}

/** The same for an answer of any size, whose `lists` are read as they come: in the answer they are empty. */
export function postForLists(
  question: Question,
  lists: readonly ListReader[],
  mostBytes = MOST_STREAMED_BYTES,
): Promise<unknown> {
  return answerTo(question, mostBytes, body => parseLists(body, lists));
}

async function answerTo(
  question: Question,
  mostBytes: number,
  parse: (body: Body) => Promise<unknown>,
): Promise<unknown> {
  const { method, ...asked } = question;
  let head = '';
  const noted = async function* (body: Body): Body {
    for await (const chunk of body) {
      if (head.length < HEAD_BYTES) head += Buffer.from(chunk).toString('utf8', 0, HEAD_BYTES);
      yield chunk;
    }
  };
  try {
    return await ask({ ...asked, mostBytes, mostTimeouts: MOST_TIMEOUTS }, body => parse(noted(body)));
  } catch (error) {
    if (isRefusal(error)) throw error;
    if (error instanceof SyntaxError) throw invalidResponse(method, 'is not JSON', new NotJson(head));
    if (error instanceof ResponseTooLarge || error instanceof PieceTooLarge)
      throw invalidResponse(method, 'is too long', error);
    const isStatus = error instanceof OtherStatus || error instanceof PauseWanted;
    const fault = isStatus ? `was answered with status ${error.status}` : 'got no complete answer';
    throw refuse('provider_unavailable', { message: `${method} ${fault}.`, cause: error });
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
