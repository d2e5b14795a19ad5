import type { z } from 'zod';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import { inShape, NotJson, post, postForLists, type Question } from '../http-post';
import type { ListReader } from '../json-lists';

const MAX_ERROR_TEXT = 200;
const STATUSES = [200];
/** The bare text of a node without history, in place of an answer. */
const CLOSED = /^this API is closed/i;

/**
 * A full node's own HTTP interface: POST under `/wallet` and, for solid blocks only, `/walletsolidity`. Hex comes
 * without 0x.
 */
export class TronHttp {
  constructor(
    private readonly baseUrl: string,
    private readonly timeoutMs: number,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /**
   * The answer in `shape`. A node reports its errors with status 200. Throws Refusal provider_unavailable or
   * provider_response_invalid, whose message names `path`.
   */
  async call<T>(path: string, body: Readonly<Record<string, unknown>>, shape: z.ZodType<T>): Promise<T> {
    return inShape(path, await this.answer(path, post(this.question(path, body))), shape);
  }

  /** The same for an answer of any size, or of at most `mostBytes`, whose `lists` are read as they come. */
  async read<T>(
    path: string,
    body: Readonly<Record<string, unknown>>,
    shape: z.ZodType<T>,
    lists: readonly ListReader[],
    mostBytes?: number,
  ): Promise<T> {
    const asked = postForLists(this.question(path, body), lists, mostBytes);
    return inShape(path, await this.answer(path, asked), shape);
  }

  private question(path: string, body: Readonly<Record<string, unknown>>): Question {
    const { headers, timeoutMs } = this;
    return { url: this.baseUrl + path, method: path, body, headers, timeoutMs, statuses: STATUSES };
  }

  private async answer(path: string, asked: Promise<unknown>): Promise<unknown> {
    const answer = await asked.catch((error: unknown) => {
      const text = isRefusal(error) && error.cause instanceof NotJson ? error.cause.head : '';
      throw CLOSED.test(text) ? refused(path, text) : error;
    });
    const fault = errorIn(answer);
    if (fault !== null) throw refused(path, fault);
    return answer;
  }
}

function refused(path: string, reason: string) {
  const message = `${path} was refused: ${reason.trim().slice(0, MAX_ERROR_TEXT)}`;
  return refuse('provider_unavailable', { message });
}

/** Gateways in front of nodes write `error` where nodes write `Error`. */
function errorIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const fault = 'Error' in answer ? answer.Error : 'error' in answer ? answer.error : undefined;
  if (fault === undefined) return null;
  return typeof fault === 'string' ? fault : JSON.stringify(fault);
}
