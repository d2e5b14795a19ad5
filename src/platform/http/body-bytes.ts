import type { IncomingMessage } from 'node:http';
import { refuse } from '../../vocabulary/errors';

const BODY_LIMIT_BYTES = 65_536;
/** The part of a refused body that is still read, so that a client which writes before it reads gets its answer. */
const DRAIN_LIMIT_BYTES = 1_048_576;

/** All bytes of the body. Throws Refusal request_too_large or, when the client broke off, request_aborted. */
export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (message.destroyed && !message.complete) {
      reject(refuse('request_aborted'));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const tooLarge = (): void => {
      stop();
      drain(message);
      reject(refuse('request_too_large'));
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) tooLarge();
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const onBreak = (): void => {
      stop();
      reject(refuse('request_aborted'));
    };
    const stop = (): void => {
      message.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
    };
    if (Number(message.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) tooLarge();
    else message.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });
}

function drain(message: IncomingMessage): void {
  let length = 0;
  message.on('error', () => undefined);
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > DRAIN_LIMIT_BYTES) message.destroy();
  });
}
