import { connect } from 'node:net';
import type { Reply } from '../support/http-caller';

/** A connection that is still open then is a hung one: the client has said its last word. */
const CLOSE_LIMIT_MS = 15_000;
/** With nothing to read for so long, the other side waits for more of a request: the client then leaves. */
const QUIET_MS = 400;
/** Ends the connection, where the bytes before were whole; if not, it counts as more of these. */
const LAST_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const LINE_END = '\r\n';
const HEAD_END = `${LINE_END}${LINE_END}`;
const CHUNK_SIZE = /^[0-9a-f]+$/i;
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([^\r\n]*)$/;
const INTERIM_LIMIT = 200;

export type Exchange = {
  readonly received: Buffer;
  /** The client left first, since no answer was to be had. */
  readonly left: boolean;
};

/** Writes the pieces one by one and a last request, and answers all bytes that come until the connection is closed. */
export function exchangeRaw(port: number, pieces: readonly string[]): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let left = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`still open after ${CLOSE_LIMIT_MS} ms`));
    }, CLOSE_LIMIT_MS);
    const leave = (): void => {
      left = true;
      socket.end();
    };
    const write = (index: number): void => {
      const piece = [...pieces, LAST_REQUEST][index];
      if (piece === undefined) socket.setTimeout(QUIET_MS, leave);
      else if (socket.writable) socket.write(Buffer.from(piece, 'latin1'), () => setImmediate(write, index + 1));
    };
    socket.on('connect', () => write(0));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The other side may be done with the connection before all is written.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(limit);
      resolve({ received: Buffer.concat(chunks), left });
    });
  });
}

/** The answers in the bytes, without interim ones. Throws on bytes that are not whole answers one after the other. */
export function answersIn(bytes: Buffer): readonly Reply[] {
  const answers: Reply[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) throw new Error(`no end of a head: ${rest.subarray(0, 200).toString('latin1')}`);
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(STATUS_LINE.exec(line)?.[1]);
    if (Number.isNaN(status)) throw new Error(`not a status line: ${line}`);
    const headers = Object.fromEntries(lines.map(headerOf));
    const start = end + HEAD_END.length;
    const bytesLeft = rest.subarray(start);
    const body = bodyOf(status, headers, bytesLeft);
    if (!body) throw new Error(`${line} has no length, or not as many bytes`);
    if (status >= INTERIM_LIMIT) answers.push({ status, headers, body: body.text });
    rest = bytesLeft.subarray(body.length);
  }
  return answers;
}

type Body = { readonly text: string; readonly length: number };

/** The body at the start of the bytes and its length in bytes, framing included; null if it is not whole. */
function bodyOf(status: number, headers: Readonly<Record<string, string>>, bytes: Buffer): Body | null {
  if (status < INTERIM_LIMIT) return { text: '', length: 0 };
  if (headers['transfer-encoding'] === 'chunked') return 'content-length' in headers ? null : chunkedBody(bytes);
  const length = Number(headers['content-length'] ?? NaN);
  return bytes.length >= length ? { text: bytes.subarray(0, length).toString(), length } : null;
}

function chunkedBody(bytes: Buffer): Body | null {
  const chunks: Buffer[] = [];
  for (let place = 0; ;) {
    const end = bytes.indexOf(LINE_END, place);
    const size = CHUNK_SIZE.exec(bytes.subarray(place, Math.max(end, place)).toString('latin1'))?.[0];
    if (size === undefined) return null;
    const start = end + LINE_END.length;
    const length = parseInt(size, 16);
    place = start + length + LINE_END.length;
    if (bytes.subarray(start + length, place).toString('latin1') !== LINE_END) return null;
    if (length === 0) return { text: Buffer.concat(chunks).toString(), length: place };
    chunks.push(bytes.subarray(start, start + length));
  }
}

function headerOf(line: string): readonly [string, string] {
  const match = HEADER_LINE.exec(line);
  if (!match) throw new Error(`not a header: ${line}`);
  return [String(match[1]).toLowerCase(), String(match[2])];
}
