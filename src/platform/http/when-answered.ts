import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { ApiRequest } from './caller';

/** Calls `tell` once an answer has ended, also where an answer that is a file broke off or its client has left. */
export function whenAnswered(server: FastifyInstance, tell: (request: ApiRequest, reply: FastifyReply) => void): void {
  server.addHook('onResponse', async (request: ApiRequest, reply) => tell(request, reply));
  // The framework hears of the end of whole answers alone.
  server.addHook('onSend', async (request: ApiRequest, reply, payload) => {
    if (!(payload instanceof Readable)) return;
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) tell(request, reply);
    });
  });
}
