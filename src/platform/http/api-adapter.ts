import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import type { JsonValue } from '../../vocabulary/json';
import { inVersion } from '../versions/shape-in-version';
import type { ApiRequest } from './caller';
import { FileAnswer } from './file-answer';

const OK = 200;
const CREATED = 201;

/** The framework's adapter, with the rules that hold for the answer of every handler. */
export class ApiAdapter extends FastifyAdapter {
  /** A POST that acted is answered with 200, like every other success. */
  override status(reply: FastifyReply, code: number): unknown {
    return super.status(reply, code === CREATED ? OK : code);
  }

  /** An answer is sent, and kept, in the caller's version; a file is sent as it is made. */
  override reply(reply: FastifyReply, answer: JsonValue | FileAnswer, code?: number): FastifyReply {
    if (answer instanceof FileAnswer) return answer.send(reply);
    const { caller } = reply.request as ApiRequest;
    return super.reply(reply, caller ? inVersion(answer, caller.apiVersion) : answer, code) as FastifyReply;
  }
}
