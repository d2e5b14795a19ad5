import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse, type Refusal } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import type { Log } from '../../kernel/ports/log';
import { errorBody, type ErrorUrls } from './error-answer';
import { FIXED_HEADERS } from './response-headers';
import { isOfBrowser, RETRY_SECONDS, StartingPages, type PageParts } from './starting-pages';

const UNAVAILABLE = 503;

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
  readonly log: Log;
  /** The engines, by their names at /readyz; a name is `ok` once its engine answers. */
  readonly checks: Readonly<Record<string, 'ok' | 'unavailable'>>;
  /** Made at the first request of a browser: most starts meet none. */
  readonly pages: () => PageParts;
};

/** Answers in the service's place until the service can: the process lives, and is not ready. */
export class StartingServer {
  /** Null before the first request of a browser, and where no page can be made. */
  private pages: Promise<StartingPages | null> | null = null;

  private constructor(
    private readonly server: Server,
    private readonly parts: StartingParts,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response));
  }

  /** Throws Refusal invalid_config, naming the variable, where the address cannot be listened at. */
  static async listen(port: number, host: string, parts: StartingParts): Promise<StartingServer> {
    const starting = new StartingServer(createServer(), parts);
    starting.server.listen(port, host);
    try {
      await once(starting.server, 'listening');
    } catch (error) {
      throw listenFault(error, port, host) ?? error;
    }
    return starting;
  }

  /** Leaves the port to the service. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const requestId = timedId('req', this.parts.clock.now(), this.parts.entropy.bytes(10));
    const [path] = (request.url ?? '/').split('?', 1);
    if (path === '/healthz') send(response, 200, requestId, { status: 'ok' });
    else if (path === '/readyz') {
      send(response, UNAVAILABLE, requestId, { status: 'unavailable', checks: this.parts.checks, alarms: [] });
    } else if (isOfBrowser(request)) {
      // A rejection that nobody takes would end the process.
      this.answerBrowser(request, response, requestId).catch((error: unknown) => {
        this.parts.log.error({ request_id: requestId, err: error }, 'a browser could not be answered');
        response.destroy();
      });
    } else this.refuse(response, requestId);
  }

  /** The envelope, where no page can be made. */
  private async answerBrowser(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    this.pages ??= this.openPages(requestId);
    const pages = await this.pages;
    if (pages === null) this.refuse(response, requestId);
    else pages.answer(request, response);
  }

  private async openPages(requestId: string): Promise<StartingPages | null> {
    const { pages, ...parts } = this.parts;
    try {
      return await StartingPages.open({ ...parts, ...pages() });
    } catch (error) {
      this.parts.log.error({ request_id: requestId, err: error }, 'pages of the start could not be made');
      return null;
    }
  }

  private refuse(response: ServerResponse, requestId: string): void {
    const refusal = refuse('provider_unavailable');
    const body = errorBody(refusal, requestId, this.parts.urls);
    const more = { 'retry-after': RETRY_SECONDS };
    send(response, ERROR_CATALOGUE[refusal.code].status, requestId, body, more);
  }
}

/** The connection ends with its answer, since the service takes the port over. */
function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  body: object,
  more: Readonly<Record<string, string>> = {},
): void {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...FIXED_HEADERS, ...type, ...more, 'request-id': requestId, connection: 'close' });
  response.end(JSON.stringify(body));
}

function listenFault(error: unknown, port: number, host: string): Refusal | null {
  const found = LISTEN_FAULTS[String((error as NodeJS.ErrnoException).code)];
  if (!found) return null;
  const { variable, fault } = found;
  return refuse('invalid_config', { param: variable, message: `${variable}: ${fault(port, host)}.`, cause: error });
}
