import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { ConnectionError } from 'fastify';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse, type ErrorCode, type Refusal } from '../../vocabulary/errors';
import type { Log } from '../../kernel/ports/log';
import { errorBody, type ErrorUrls } from './error-answer';
import type { RequestRates } from './rate-limit';
import { FIXED_HEADERS } from './response-headers';

const METHOD = /^[A-Z]+ /;
const PROTOCOL = / HTTP\/1\.[01]$/;
const LINE_END = /[\r\n]/;
const CONTROL_IN_TARGET = /^[A-Z]+ \/[^\r\n ]*[^\P{Cc}\r\n]/u;
const REQUEST_LINE_LIMIT = 16_384;

type ClientAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

/** Answers bytes that never became a request: bytes that the HTTP parser refuses, and bodies that break off. */
export class ClientErrorAnswer {
  /** Sockets whose parser has given up: the parser complains anew of every further byte. */
  private readonly refused = new WeakSet<Socket>();

  constructor(
    private readonly urls: ErrorUrls,
    private readonly log: Log,
    private readonly newRequestId: () => string,
    private readonly rates: RequestRates,
  ) {}

  readonly onSocket = (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (this.refused.has(socket)) return;
    this.refused.add(socket);
    this.endInTurn(socket, refuse(codeOf(error)), startOf(error).startsWith('HEAD '));
  };

  /** A request for a tunnel, which the server itself would close without a word. */
  readonly onConnect = (_: unknown, socket: Duplex): void => {
    // The server no longer handles the socket, errors included.
    socket.on('error', () => socket.destroy());
    this.end(socket as Socket, refuse('unknown_route'));
  };

  /** Earlier whole requests have their answers first, or this answer would be taken for theirs. */
  private endInTurn(socket: Socket, refusal: Refusal, isHead: boolean): void {
    const answer = answerUnderWay(socket);
    if (answer?.req.complete) answer.once('close', () => this.endInTurn(socket, refusal, isHead));
    else if (!socket.writable || answer?.headersSent) socket.destroySoon();
    else this.end(socket, refusal, isHead);
  }

  /** A client takes what follows the head of an answer to HEAD for bytes that nobody asked for. */
  private end(socket: Socket, refusal: Refusal, isHead = false): void {
    const { status, headers, body } = this.answer(refusal, this.newRequestId(), socket.remoteAddress ?? null);
    const text = JSON.stringify(body);
    const all = {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
    socket.end(isHead ? head : head + text, () => socket.destroy());
  }

  /** The answer to a path that the router cannot decode, and that reaches no route and no hook. */
  badPath(requestId: string, address: string | null): ClientAnswer {
    return this.answer(refuse('invalid_path'), requestId, address);
  }

  /** The answer after the address was charged, which may be that the address has to wait. */
  private answer(fault: Refusal, requestId: string, address: string | null): ClientAnswer {
    const rate = this.rates.chargeStranger(address);
    const isLimited = rate?.allowed === false;
    const refusal = isLimited ? refuse('rate_limit') : fault;
    const headers = {
      ...FIXED_HEADERS,
      ...this.rates.headersFor(address, rate ?? undefined),
      ...(isLimited && { 'retry-after': String(rate.retryAfterSeconds) }),
      'request-id': requestId,
    };
    return { status: this.logged(refusal, requestId), headers, body: errorBody(refusal, requestId, this.urls) };
  }

  private logged(refusal: Refusal, requestId: string): number {
    const { status } = ERROR_CATALOGUE[refusal.code];
    this.log.info({ request_id: requestId, status, code: refusal.code }, 'request refused before its route');
    return status;
  }
}

/** Node keeps the answer on its socket: of several requests on one connection, that of the first unanswered one. */
function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/** The beginning of the bytes that the parser refused: of a request in several packets, that of the last one. */
function startOf({ rawPacket }: ConnectionError): string {
  return (rawPacket as unknown as Buffer | undefined)?.subarray(0, REQUEST_LINE_LIMIT).toString('latin1') ?? '';
}

function codeOf(error: ConnectionError): ErrorCode {
  const { code } = error;
  if (code === 'HPE_HEADER_OVERFLOW') return 'request_too_large';
  if (code === 'HPE_INVALID_EOF_STATE' || code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_aborted';
  const start = startOf(error);
  if (code === 'HPE_INVALID_URL' || hasSpaceInTarget(start) || CONTROL_IN_TARGET.test(start)) return 'invalid_path';
  return 'invalid_request';
}

/** Whether the first line has a space between its method and its protocol, beyond the two separating ones. */
function hasSpaceInTarget(text: string): boolean {
  const [line = ''] = text.split(LINE_END, 1);
  const method = METHOD.exec(line)?.[0];
  const protocol = PROTOCOL.exec(line);
  return method !== undefined && protocol !== null && line.slice(method.length, protocol.index).includes(' ');
}
