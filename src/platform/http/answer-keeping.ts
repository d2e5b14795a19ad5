import type { FastifyInstance, FastifyReply } from 'fastify';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { invariant } from '../../kernel/invariant';
import type { Log } from '../../kernel/ports/log';
import type { ApiRequest } from './caller';
import { asRefusal, errorBody, type ErrorUrls } from './error-answer';

/**
 * Keeps the very text of the answer to a request with an Idempotency-Key, errors included. The text is kept before a
 * byte of it is sent, so a replay shows the answer that a client has seen. The answer is kept also where the client has
 * left.
 */
export function keepAnswers(server: FastifyInstance, urls: ErrorUrls, log: Log): void {
  server.addHook('onSend', async (request: ApiRequest, reply, payload) => {
    if (!request.underKey) return payload;
    const { lease, showsSecret } = request.underKey;
    // An answer that cannot be kept becomes another one, which is not kept and must not come here again.
    delete request.underKey;
    try {
      const holdsSecret = showsSecret && (isSuccess(reply) || request.errorCode === 'idempotency_response_unavailable');
      await lease.finish({ status: reply.statusCode, body: textOf(payload) }, holdsSecret);
      return payload;
    } catch (error) {
      const refusal = asRefusal(error);
      request.errorCode = refusal.code;
      log.warn({ request_id: request.id, code: refusal.code, err: refusal.cause ?? refusal }, 'an answer was not kept');
      if (refusal.retryAfterSeconds !== null) void reply.header('retry-after', String(refusal.retryAfterSeconds));
      void reply.status(ERROR_CATALOGUE[refusal.code].status);
      return JSON.stringify(errorBody(refusal, request.id, urls));
    }
  });
}

function isSuccess({ statusCode }: FastifyReply): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function textOf(payload: unknown): string {
  invariant(typeof payload === 'string', 'an answer below an Idempotency-Key is no text');
  return payload;
}
