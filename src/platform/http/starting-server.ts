import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse, type Refusal } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import { errorBody, type ErrorUrls } from './error-answer';
import { FIXED_HEADERS } from './response-headers';

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
  /** The engines, by their names at /readyz; a name is `ok` once its engine answers. */
  readonly checks: Readonly<Record<string, 'ok' | 'unavailable'>>;
};

/** Answers in the service's place until the service can: the process lives, and is not ready. */
export class StartingServer {
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

  private answer({ url }: IncomingMessage, response: ServerResponse): void {
    const { urls, clock, entropy, checks } = this.parts;
    const requestId = timedId('req', clock.now(), entropy.bytes(10));
    const [path] = (url ?? '/').split('?', 1);
    let status: number = UNAVAILABLE;
    let body: object = { status: 'unavailable', checks, alarms: [] };
    if (path === '/healthz') [status, body] = [200, { status: 'ok' }];
    else if (path !== '/readyz') {
      status = ERROR_CATALOGUE.provider_unavailable.status;
      body = errorBody(refuse('provider_unavailable'), requestId, urls);
    }
    const type = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...FIXED_HEADERS, ...type, 'request-id': requestId, connection: 'close' });
    response.end(JSON.stringify(body));
  }
}

function listenFault(error: unknown, port: number, host: string): Refusal | null {
  const found = LISTEN_FAULTS[String((error as NodeJS.ErrnoException).code)];
  if (!found) return null;
  const { variable, fault } = found;
  return refuse('invalid_config', { param: variable, message: `${variable}: ${fault(port, host)}.`, cause: error });
}
