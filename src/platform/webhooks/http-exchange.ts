import { request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const EXCERPT_LENGTH = 1_024;
/** The greatest number of bytes for EXCERPT_LENGTH characters; the rest of the answer is not read. */
const BODY_BYTES = 4 * EXCERPT_LENGTH;

const OK = 200;

type Reply = { readonly statusCode: number; readonly responseExcerpt: string };

/**
 * One POST over an open socket, which is destroyed after it. `platform/outbound` opens connections by itself, to any
 * address. A webhook goes to an address of a merchant's choice, and therefore over the guarded socket alone. Once the
 * header has come the reply stands, even if its body breaks off. Throws an error before that, or the signal's reason.
 */
export async function exchange(
  socket: Socket,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const sent = { ...headers, 'content-length': Buffer.byteLength(body) };
    const response = await answerTo(socket, url, 'POST', sent, signal, body);
    return { statusCode: response.statusCode ?? 0, responseExcerpt: await readExcerpt(response) };
  } finally {
    socket.destroy();
  }
}

/** The body of an answer is longer than the limit for it. */
export class BodyTooLong extends Error {}

type Downloaded = { readonly statusCode: number; readonly body: Uint8Array };

/**
 * One GET over an open socket, which is destroyed after it. The body is whole, and empty for another status than 200.
 * Throws BodyTooLong, an error of the connection, or the signal's reason.
 */
export async function download(
  socket: Socket,
  url: URL,
  headers: Readonly<Record<string, string>>,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Downloaded> {
  try {
    const response = await answerTo(socket, url, 'GET', headers, signal);
    const { statusCode = 0 } = response;
    if (statusCode !== OK) return { statusCode, body: new Uint8Array() };
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new BodyTooLong(`more than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    return { statusCode, body: Buffer.concat(chunks) };
  } finally {
    socket.destroy();
  }
}

function answerTo(
  socket: Socket,
  url: URL,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
  body?: string,
): Promise<IncomingMessage> {
  const request = startRequest({
    createConnection: () => socket,
    setHost: false,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, connection: 'close' },
    signal,
  });
  const answer = responseTo(request);
  request.end(body);
  return answer;
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays on: an error after the header no longer matters, and must not end the process.
    request.on('error', reject);
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
  });
}

/** The part of the body that came before its end, its limit, its break or the deadline. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, BODY_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= BODY_BYTES) break;
    }
  } catch {
    // The header alone is an answer.
  }
  const text = Buffer.concat(chunks).toString('utf8').slice(0, EXCERPT_LENGTH);
  // The cut may have divided a character.
  return text.replace(/\p{Surrogate}/gu, '');
}
