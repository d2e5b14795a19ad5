import type { FastifyInstance } from 'fastify';
import type { Log } from '../../kernel/ports/log';
import { whenAnswered } from './when-answered';

/**
 * One line a request, of these fields only: the route's pattern instead of the path, no header, no query, no body. The
 * key is named by its id, also where the request was refused behind its authentication.
 */
export function logRequests(server: FastifyInstance, log: Log): void {
  whenAnswered(server, (request, reply) => {
    const { account, errorCode } = request;
    log.info(
      {
        request_id: request.id,
        merchant_id: account?.merchantId ?? null,
        key_id: account?.keyId ?? null,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        code: errorCode ?? null,
        ms: Math.round(reply.elapsedTime),
      },
      'request answered',
    );
  });
}
