import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The time for an answer that comes, and for one that does not: long enough for the question to arrive. */
export const ANSWER_LIMIT_MS = 15_000;
export const SILENCE_MS = 700;

/** A local HTTP server in the place of a rate source; it remembers its questions. */
export class AnsweringServer {
  readonly requests: string[] = [];
  headers: IncomingMessage['headers'] = {};
  answer: Answer = answerWith('{}');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<AnsweringServer> {
    const started = new AnsweringServer(
      createServer((request, response) => {
        started.requests.push(request.url ?? '');
        started.headers = request.headers;
        started.answer(request, response);
      }),
    );
    await new Promise<void>(resolve => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

export function answerWith(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

export const neverAnswer: Answer = () => undefined;

/** Begins an answer and then falls silent. */
export function stallAfter(body: string): Answer {
  return (_, response) => response.writeHead(200).write(body);
}

export const cutOff: Answer = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"data":', () => response.destroy());
};

export const hugeAnswer = answerWith(`{"pad":"${'x'.repeat(600_000)}"}`);
