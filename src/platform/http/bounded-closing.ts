import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS, type Clock } from '../../kernel/clock';

/** Requests under way have so long to be answered once the server closes. */
export const CLOSING_MS = 10 * SECOND_MS;

/**
 * Lets the server close within `CLOSING_MS`, whatever its clients do. A server that closes no longer looks for slow
 * clients, and counts a connection that has said nothing as busy. So a connection without a request under way is closed
 * at once, and one with such a request after its answer. The end of the time closes all that are left.
 */
export function boundClosing(server: FastifyInstance, clock: Clock): void {
  /** The requests under way of each open connection. */
  const open = new Map<Socket, number>();
  let isClosing = false;
  const closed = new AbortController();
  const change = (socket: Socket, by: number): void => {
    const count = open.get(socket);
    if (count === undefined) return;
    open.set(socket, count + by);
    // The last bytes of the answer still go out.
    if (isClosing && count + by === 0) socket.destroySoon();
  };
  server.server.on('connection', (socket: Socket) => {
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  server.server.once('close', () => closed.abort());
  server.addHook('preClose', done => {
    isClosing = true;
    for (const [socket, requests] of open) if (requests === 0) socket.destroy();
    const end = (): void => {
      // A connection that merely ended could be taken for the end of its answer.
      for (const [socket, requests] of open) if (requests > 0) socket.resetAndDestroy();
      server.server.closeAllConnections();
    };
    if (server.server.listening) void clock.wait(CLOSING_MS, closed.signal).then(end);
    done();
  });
}
