import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressSubject } from '../rate-limits/client-address';

/** Open connections of one client address: an eighth of the 1,024 descriptors that a process commonly has. */
export const CONNECTIONS_BY_ADDRESS_LIMIT = 128;

/** Closes connections beyond the limit of their address at once, so that one client leaves descriptors to others. */
export function limitConnections(server: Server, limit = CONNECTIONS_BY_ADDRESS_LIMIT): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const subject = addressSubject(socket.remoteAddress ?? '');
    if (subject === null) return;
    const count = open.get(subject) ?? 0;
    if (count >= limit) {
      socket.destroy();
      return;
    }
    open.set(subject, count + 1);
    socket.once('close', () => {
      const left = (open.get(subject) ?? 1) - 1;
      if (left > 0) open.set(subject, left);
      else open.delete(subject);
    });
  });
}
