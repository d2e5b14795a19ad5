import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';

/**
 * Receivers in a process of their own: one that answers at once over TLS, and one that takes connections and never says
 * a word.
 */
const prompt = createServer({ cert: process.env.TLS_CERT, key: process.env.TLS_KEY }, (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200).end('ok'));
});
const hanging = createTcpServer(() => undefined);

prompt.listen(0, '127.0.0.1', () => {
  hanging.listen(0, '127.0.0.1', () => {
    const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;
    process.send?.({ prompt: portOf(prompt), hanging: portOf(hanging) });
  });
});
process.once('disconnect', () => process.exit());
