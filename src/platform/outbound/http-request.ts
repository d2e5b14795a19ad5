import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as requestByTls } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';

/** The usual server closes a connection that is idle for five seconds; a question must not meet that moment. */
const IDLE_MS = 4_000;
const AGENTS = {
  plain: new Agent({ keepAlive: true, timeout: IDLE_MS }),
  tls: new TlsAgent({ keepAlive: true, timeout: IDLE_MS }),
};
/** Some gateways refuse clients without a name. */
const HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip, br', 'user-agent': 'node' };

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Readable;
};

export type Sent = {
  /** Rejects with the error of the connection, or with the reason of leaving. */
  readonly answer: Promise<Answer>;
  /** Closes the connection; the answer, or the rest of its body, ends with `reason`. */
  leave(reason: Error): void;
};

/**
 * Sends one question over a connection that other questions have used, where one is free. `text` is posted; without it
 * the question is a GET. Throws TypeError for a URL that is none, or that holds a name and a password.
 */
export function send(url: string, headers: Readonly<Record<string, string>>, text: string | null): Sent {
  const target = new URL(url);
  if (target.username !== '' || target.password !== '') throw new TypeError('The URL holds a name and a password.');
  const isTls = target.protocol === 'https:';
  const options: RequestOptions = {
    method: text === null ? 'GET' : 'POST',
    headers: { ...HEADERS, ...headers },
    agent: isTls ? AGENTS.tls : AGENTS.plain,
  };
  const asked = isTls ? requestByTls(target, options) : request(target, options);
  let body: Readable | null = null;
  const answer = new Promise<Answer>((resolve, reject) => {
    asked.on('error', reject);
    // A switch of protocols, 101, closes the connection without an error, and without an answer.
    asked.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    asked.on('response', (response: IncomingMessage) => {
      // The body's reader is told of its errors. At this moment there may be no reader yet.
      body = decompressed(response).on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
  });
  asked.end(text ?? undefined);
  return { answer, leave: reason => void (body ?? asked).destroy(reason) };
}

/** A compressed answer may end without the mark of its end, as browsers allow. */
function decompressed(response: IncomingMessage): Readable {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  switch (response.headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return pipeline(response, createGunzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }), () => undefined);
    case 'br': {
      const flushes = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };
      return pipeline(response, createBrotliDecompress(flushes), () => undefined);
    }
    default:
      return response;
  }
}
