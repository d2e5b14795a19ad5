import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerFactory } from 'fastify';

/** Requests of one connection that may wait for their turn. No common client sends so many before it has an answer. */
export const WAITING_BY_CONNECTION_LIMIT = 64;

type Begin = () => void;

/**
 * One request begins in each turn of the event loop, and connections take turns. A client with hundreds of requests at
 * once waits behind its own. Other clients wait for one request of each connection at most.
 */
export class RequestTurns {
  private readonly lines = new Map<Socket, Begin[]>();
  private isTurnTaken = false;

  take(connection: Socket, begin: Begin): void {
    if (!this.isTurnTaken) return this.run(begin);
    const line = this.lines.get(connection) ?? [];
    if (line.length >= WAITING_BY_CONNECTION_LIMIT) {
      this.lines.delete(connection);
      connection.destroy();
    }
    if (connection.destroyed) return;
    line.push(begin);
    this.lines.set(connection, line);
  }

  private run(begin: Begin): void {
    this.isTurnTaken = true;
    setImmediate(() => this.next());
    begin();
  }

  private next(): void {
    this.isTurnTaken = false;
    for (const [connection, line] of this.lines) {
      const begin = line.shift();
      // The connection goes behind all others, which have not had their turn yet.
      this.lines.delete(connection);
      if (line.length > 0) this.lines.set(connection, line);
      if (begin) return this.run(begin);
    }
  }
}

/** A server as the framework makes it, whose requests begin in turns. */
export const serverInTurns: FastifyServerFactory<Server> = (handler, options) => {
  const turns = new RequestTurns();
  const begin: RequestListener = (request, response) => turns.take(request.socket, () => handler(request, response));
  const { http, keepAliveTimeout, requestTimeout, connectionTimeout } = options as ServerTimes;
  const server = createServer(http, begin);
  server.keepAliveTimeout = keepAliveTimeout;
  server.requestTimeout = requestTimeout;
  server.setTimeout(connectionTimeout);
  return server;
};

type ServerTimes = {
  readonly http: object;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
};
