import type { z } from 'zod';
import { refuse } from '../../../kernel/errors';
import { inShape, parseJson, post } from '../http-post';

const MAX_ERROR_TEXT = 200;
const STATUSES = [200];
/** What a node without history says, as bare text, in place of an answer. */
const CLOSED = /^this API is closed/i;

/** A full node's own HTTP interface: POST under `/wallet` and, for solid blocks only, `/walletsolidity`. Hex comes without 0x. */
export class TronHttp {
  constructor(
    private readonly baseUrl: string,
    private readonly timeoutMs: number,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /**
   * The answer in `shape`. A node reports its errors with status 200. Throws Refusal provider_unavailable or provider_response_invalid,
   * whose message names `path`.
   */
  async call<T>(path: string, body: Readonly<Record<string, unknown>>, shape: z.ZodType<T>): Promise<T> {
    const { headers, timeoutMs } = this;
    const question = { url: this.baseUrl + path, method: path, body, headers, timeoutMs, statuses: STATUSES };
    const text = await post(question);
    const refused = CLOSED.test(text) ? text : errorIn(parseJson(path, text));
    if (refused !== null) {
      const reason = refused.trim().slice(0, MAX_ERROR_TEXT);
      throw refuse('provider_unavailable', { message: `${path} was refused: ${reason}` });
    }
    return inShape(path, parseJson(path, text), shape);
  }
}

/** Gateways in front of nodes write `error` where nodes write `Error`. */
function errorIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const fault = 'Error' in answer ? answer.Error : 'error' in answer ? answer.error : undefined;
  if (fault === undefined) return null;
  return typeof fault === 'string' ? fault : JSON.stringify(fault);
}
