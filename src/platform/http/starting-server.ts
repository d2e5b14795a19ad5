import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse, type Refusal } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import type { ApiRequest } from './caller';
import { errorBody, type ErrorUrls } from './error-answer';
import type { FaultPages } from './fault-pages';
import { prefersHtml } from './preferred-type';
import { addFixedHeaders } from './response-headers';

const UNAVAILABLE = 503;
/** The time after which a client asks again, and an open page loads itself again, in seconds. */
const RETRY_SECONDS = '5';
const ASSETS = '/assets/';

type ListenFault = { readonly variable: 'PORT' | 'HOST'; readonly fault: (port: number, host: string) => string };

/** Errors of listening that an operator mends, https://nodejs.org/api/errors.html#common-system-errors */
const LISTEN_FAULTS: Readonly<Record<string, ListenFault>> = {
  EADDRINUSE: {
    variable: 'PORT',
    fault: (port, host) => `${port} on ${host} is taken: end the program that listens there, or name another port`,
  },
  EACCES: { variable: 'PORT', fault: port => `this account may not listen at ${port}: name a port above 1023` },
  EADDRNOTAVAIL: { variable: 'HOST', fault: (_, host) => `${host} is no address of this machine` },
  ENOTFOUND: { variable: 'HOST', fault: (_, host) => `no address was found for ${host}` },
};

type StartingParts = {
  readonly urls: ErrorUrls;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** The engines, by their names at /readyz; a name is `ok` once its engine answers. */
  readonly checks: Readonly<Record<string, 'ok' | 'unavailable'>>;
  /** Made at the first request of a browser: most starts meet none. */
  readonly pages: () => StartingPages;
};

/** The part that answers browsers meanwhile. */
export type StartingPages = Pick<FaultPages, 'sendFault'> & {
  /** Sends the style, script or font of the name; false where there is none. */
  readonly sendAsset: (name: string, request: FastifyRequest, reply: FastifyReply) => boolean;
};

/** Answers in the service's place until the service can: the process lives, and is not ready. */
export class StartingServer {
  private madePages: StartingPages | null = null;

  private constructor(
    private readonly server: FastifyInstance,
    private readonly parts: StartingParts,
  ) {
    // Each connection ends with its answer: the service takes the port over.
    server.addHook('onRequest', (request, reply) => this.answer(request, reply.header('connection', 'close')));
    addFixedHeaders(server);
  }

  /** Throws Refusal invalid_config, naming the variable, where the address cannot be listened at. */
  static async listen(port: number, host: string, parts: StartingParts): Promise<StartingServer> {
    const { clock, entropy } = parts;
    let starting: StartingServer | null = null;
    const server = fastify({
      genReqId: () => timedId('req', clock.now(), entropy.bytes(10)),
      forceCloseConnections: true,
      // A path that the router cannot take.
      frameworkErrors: (_, request, reply) => void starting?.answer(request, reply as unknown as FastifyReply),
    });
    starting = new StartingServer(server, parts);
    try {
      await server.listen({ port, host });
    } catch (error) {
      throw listenFault(error, port, host) ?? error;
    }
    return starting;
  }

  /** Leaves the port to the service. */
  async close(): Promise<void> {
    await this.server.close();
  }

  private get pages(): StartingPages {
    this.madePages ??= this.parts.pages();
    return this.madePages;
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { urls, checks } = this.parts;
    const [path = '/'] = request.url.split('?', 1);
    if (path === '/healthz') return reply.send({ status: 'ok' });
    if (path === '/readyz') return reply.status(UNAVAILABLE).send({ status: 'unavailable', checks, alarms: [] });
    if (path.startsWith(ASSETS) && this.pages.sendAsset(path.slice(ASSETS.length), request, reply)) return reply;
    reply.header('retry-after', RETRY_SECONDS);
    if (prefersHtml(request.headers.accept)) {
      // Browsers load the page again by themselves, also without script. A form is for its person to send again.
      if (request.method === 'GET') reply.header('refresh', RETRY_SECONDS);
      await this.pages.sendFault('provider_unavailable', request as ApiRequest, reply);
      return reply;
    }
    const { status } = ERROR_CATALOGUE.provider_unavailable;
    return reply.status(status).send(errorBody(refuse('provider_unavailable'), request.id, urls));
  }
}

function listenFault(error: unknown, port: number, host: string): Refusal | null {
  const found = LISTEN_FAULTS[String((error as NodeJS.ErrnoException).code)];
  if (!found) return null;
  const { variable, fault } = found;
  return refuse('invalid_config', { param: variable, message: `${variable}: ${fault(port, host)}.`, cause: error });
}
