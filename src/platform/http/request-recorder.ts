import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../kernel/clock';
import type { RequestLog } from '../request-log/request-log';
import { clientIp } from './client-ip';
import type { ApiRequest } from './caller';
import { whenAnswered } from './when-answered';

/** Paths that machines ask for every second, without personal data. */
const UNRECORDED: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/** Gives every request and its answer to the request log once it is answered. */
export function recordRequests(server: FastifyInstance, requestLog: RequestLog, clock: Clock): void {
  server.addHook('onSend', async (request: ApiRequest, _, payload) => {
    if (typeof payload === 'string') request.answerText = payload;
  });
  whenAnswered(server, (request, reply) => {
    const route = request.routeOptions.url;
    if (UNRECORDED.includes(route)) return;
    const ms = Math.round(reply.elapsedTime);
    requestLog.note({
      requestId: request.id,
      merchantId: request.account?.merchantId ?? null,
      mode: request.account?.mode ?? null,
      keyId: request.account?.keyId ?? null,
      method: request.method,
      route: route ?? null,
      target: request.raw.url ?? '/',
      status: reply.statusCode,
      code: request.errorCode ?? null,
      ms,
      headers: request.headers,
      requestBody: request.rawBody?.toString() ?? null,
      responseBody: request.answerText ?? null,
      ip: clientIp(request),
      receivedMs: clock.now() - ms,
    });
  });
}
