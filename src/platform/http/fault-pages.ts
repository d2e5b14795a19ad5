import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../../vocabulary/errors';
import type { ApiRequest } from './caller';

/** Tells people of refusals. */
export type FaultPages = {
  /**
   * Sends a refusal as a page, under the status of its code. The page depends on the code and the kind of page alone:
   * an unknown object and another merchant's object give the same bytes.
   */
  readonly sendFault: (code: ErrorCode, request: ApiRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Sends the way to read the log of a request, since a browser shows no key. The page tells nothing of the log: an id
   * that exists and one that does not give the same bytes.
   */
  readonly sendLogGuide: (request: ApiRequest, reply: FastifyReply) => Promise<void>;
};
