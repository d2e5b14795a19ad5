import type { FastifyInstance } from 'fastify';
import type { Log } from '../../kernel/ports/log';
import type { ApiRequest } from './caller';

/** One line a request, of these fields only: the route's pattern instead of the path, no header, no query, no body. */
export function logRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        code: (request as ApiRequest).errorCode ?? null,
        ms: Math.round(reply.elapsedTime),
      },
      'request answered',
    );
  });
}
