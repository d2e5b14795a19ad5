import { request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const EXCERPT_LENGTH = 1_024;
/** As many bytes as EXCERPT_LENGTH characters can have; the rest of the answer is not read. */
const BODY_BYTES = 4 * EXCERPT_LENGTH;

export type Reply = { readonly statusCode: number; readonly responseExcerpt: string };

/**
 * One POST over an open socket, which is destroyed after it. Once the header has come the reply stands, whatever
 * becomes of its body. Throws what broke before that, or the signal's reason.
 */
export async function exchange(
  socket: Socket,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const request = startRequest({
      createConnection: () => socket,
      setHost: false,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
      signal,
    });
    const answer = responseTo(request);
    request.end(body);
    const response = await answer;
    return { statusCode: response.statusCode ?? 0, responseExcerpt: await readExcerpt(response) };
  } finally {
    socket.destroy();
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays on: what breaks after the header no longer matters, and must not be thrown at the process.
    request.on('error', reject);
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
  });
}

/** As much of the body as came before its end, its limit, its break or the deadline. */
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
    // The header was the answer.
  }
  const text = Buffer.concat(chunks).toString('utf8').slice(0, EXCERPT_LENGTH);
  // The cut may have gone through a character.
  return text.replace(/\p{Surrogate}/gu, '');
}
