import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS } from '../../kernel/clock';
import type { ApiRequest } from './caller';
import { asRefusal } from './error-answer';

/** A client that takes no byte of what it was sent for so long holds its answer no longer. */
const STALLED_MS = MINUTE_MS;

type FileFacts = { readonly name: string; readonly contentType: string };

/**
 * An answer that is a file, made part by part as the client takes it. The first part is made before the answer begins,
 * so that a fault by then is refused as any other.
 */
export class FileAnswer {
  private constructor(
    private readonly facts: FileFacts,
    private readonly first: IteratorResult<string>,
    private readonly rest: AsyncGenerator<string>,
  ) {}

  static async begin(facts: FileFacts, parts: AsyncGenerator<string>): Promise<FileAnswer> {
    return new FileAnswer(facts, await parts.next(), parts);
  }

  /**
   * Ends the making of parts with the connection, whoever closes that. A fault breaks the connection off: an answer
   * that ended would look whole.
   */
  send(reply: FastifyReply): FastifyReply {
    const { name, contentType } = this.facts;
    void reply.header('content-disposition', `attachment; filename="${name}"`).type(contentType);
    if (reply.request.method === 'HEAD') {
      void this.rest.return(undefined);
      return reply.send('');
    }
    const file = Readable.from(this.parts(), { objectMode: false, highWaterMark: 1 });
    file.once('error', error => breakOff(reply, error));
    file.once('close', () => void this.rest.return(undefined));
    reply.raw.setTimeout(STALLED_MS, () => {
      // Rows of a range can be far apart: a client that has taken all so far waits for the next part.
      if (reply.raw.writableLength > 0) reply.raw.destroy();
    });
    return reply.send(file);
  }

  /** Other requests have their turn between two parts, also where the engine answers at once. */
  private async *parts(): AsyncGenerator<string> {
    for (let part = this.first; part.done !== true; part = await this.rest.next()) {
      if (part.value !== '') yield part.value;
      await nextTurn();
    }
  }
}

/** In HTTP/1.0 the end of a file is that of its connection, so that only a reset tells that the file is not whole. */
function breakOff(reply: FastifyReply, error: unknown): void {
  const { code, cause } = asRefusal(error);
  const request = reply.request as ApiRequest;
  const { id: request_id, account } = request;
  request.errorCode = code;
  const facts = { request_id, merchant_id: account?.merchantId ?? null, code, err: cause ?? error };
  reply.log[code === 'internal_error' ? 'error' : 'warn'](facts, 'an answer broke off');
  if (reply.request.raw.httpVersion === '1.0') reply.raw.socket?.resetAndDestroy();
  else reply.raw.destroy();
}
