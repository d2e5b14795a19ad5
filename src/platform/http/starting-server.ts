import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import { errorBody, type ErrorUrls } from './error-answer';
import { FIXED_HEADERS } from './response-headers';

const UNAVAILABLE = 503;

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

  static async listen(port: number, host: string, parts: StartingParts): Promise<StartingServer> {
    const starting = new StartingServer(createServer(), parts);
    starting.server.listen(port, host);
    await once(starting.server, 'listening');
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
