import type { FastifyReply } from 'fastify';
import type { Answer } from '../idempotency/key-lease';

/** Thrown by the step that finds a request answered before: no step and no handler behind it runs. */
export class KeptAnswer extends Error {
  override readonly name = 'KeptAnswer';

  constructor(private readonly answer: Answer) {
    super('the request has been answered before');
  }

  send(reply: FastifyReply): void {
    const headers = { 'idempotent-replayed': 'true', 'content-type': 'application/json; charset=utf-8' };
    // The reply is not awaited: it ends when its last byte is gone, which never happens where the client has left.
    void reply.status(this.answer.status).headers(headers).send(this.answer.body);
  }
}
