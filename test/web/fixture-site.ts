import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As checkout's pages are served. */
export const CHECKOUT_POLICY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'content-security-policy-report-only': "require-trusted-types-for 'script'; trusted-types same-page",
};

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A page or another text, as checkout serves it. */
export function served(text: string, type = 'text/html; charset=utf-8'): Answer {
  return (_request, response) => void response.writeHead(200, { 'content-type': type, ...CHECKOUT_POLICY }).end(text);
}

/** A site of small pages, one answer a path. */
export class FixtureSite {
  readonly requests: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(answers: Readonly<Record<string, Answer>>): Promise<FixtureSite> {
    const server = createServer();
    const site = new FixtureSite(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        site.requests.push(`${request.method} ${request.url}`);
        const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
        if (answer) answer(request, response, Buffer.concat(chunks).toString());
        // A browser asks for an icon by itself.
        else response.writeHead(request.url === '/favicon.ico' ? 204 : 404).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return site;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
