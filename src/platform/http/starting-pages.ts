import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Log } from '../../kernel/ports/log';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import { PAGES } from './all-errors.filter';
import type { ApiRequest } from './caller';
import { errorBody, type ErrorUrls } from './error-answer';
import type { FaultPages } from './fault-pages';
import { prefersHtml } from './preferred-type';
import { addFixedHeaders } from './response-headers';

/** The time after which a client asks again, and an open page loads itself again, in seconds. */
export const RETRY_SECONDS = '5';
const ASSET = /^\/assets\/([^/?]+)/;
const CODE = 'provider_unavailable';

export type PageParts = Pick<FaultPages, 'sendFault'> & {
  /** Sends the style, script or font of the name; false where there is none. */
  readonly sendAsset: (name: string, request: FastifyRequest, reply: FastifyReply) => boolean;
};

type Parts = PageParts & {
  readonly urls: ErrorUrls;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
};

/** Whether a browser asks for a page, or for a file of one. A program gets the envelope on every path. */
export function isOfBrowser({ method = '', url = '/', headers }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isDecodable(url)) return false;
  if (ASSET.test(url)) return isRead;
  const isPage = PAGES.test(url) || /^\/(?:\?|$)/.test(url);
  return isPage && (isRead || method === 'POST') && prefersHtml(headers.accept);
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url);
    return true;
  } catch {
    return false;
  }
}

/** The pages that tell people of a service that starts. No server listens here: requests are handed over. */
export class StartingPages {
  private constructor(private readonly router: FastifyInstance) {}

  static async open(parts: Parts): Promise<StartingPages> {
    const { urls, clock, entropy, log } = parts;
    const router = fastify({ genReqId: () => timedId('req', clock.now(), entropy.bytes(10)) });
    const sendEnvelope = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      reply.removeHeader('refresh');
      reply.status(ERROR_CATALOGUE[CODE].status).type('application/json; charset=utf-8');
      return reply.send(errorBody(refuse(CODE), request.id, urls));
    };
    router.addHook('onRequest', async (request, reply) => {
      reply.headers({ connection: 'close' });
      const [, asset] = ASSET.exec(request.url) ?? [];
      if (asset !== undefined && parts.sendAsset(asset, request, reply)) return reply;
      reply.header('retry-after', RETRY_SECONDS);
      if (asset !== undefined) return sendEnvelope(request, reply);
      // Browsers load the page again by themselves, also without script. A form is for its person to send again.
      if (request.method !== 'POST') reply.header('refresh', RETRY_SECONDS);
      await parts.sendFault(CODE, request as ApiRequest, reply);
      return reply;
    });
    addFixedHeaders(router);
    // A page that cannot be made leaves the envelope.
    router.setErrorHandler((error, request, reply) => {
      log.error({ request_id: request.id, err: error }, 'a page could not be made');
      return sendEnvelope(request, reply);
    });
    await router.ready();
    return new StartingPages(router);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.router.routing(request, response);
  }
}
