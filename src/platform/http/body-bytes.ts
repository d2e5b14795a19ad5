import type { IncomingMessage } from 'node:http';
import { refuse } from '../../vocabulary/errors';

const BODY_LIMIT_BYTES = 65_536;
/** The part of a refused body that is still read, so that a client which writes before it reads gets its answer. */
const DRAIN_LIMIT_BYTES = 1_048_576;

type Receiving = {
  readonly limitBytes: number;
  /** The part of a refused body that is still read. */
  readonly drainBytes: number;
  /** Reads up to the limit also where the announced length is greater; by default such a body is refused unread. */
  readonly readsBeginning?: true;
  /** Takes the body's next bytes. The body is refused with what this throws. */
  readonly take: (chunk: Buffer) => void;
};

/** All bytes of the body. Throws Refusal request_too_large or, when the client broke off, request_aborted. */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer) => void chunks.push(chunk);
  await receiveBody(message, { limitBytes: BODY_LIMIT_BYTES, drainBytes: DRAIN_LIMIT_BYTES, take });
  return Buffer.concat(chunks);
}

/** Ends with the body's last byte. Throws Refusal request_too_large or request_aborted, and what `take` throws. */
export function receiveBody(
  message: IncomingMessage,
  { limitBytes, drainBytes, readsBeginning, take }: Receiving,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (message.destroyed && !message.complete) {
      reject(refuse('request_aborted'));
      return;
    }
    let length = 0;
    const fail = (error: unknown): void => {
      stop();
      drain(message, drainBytes);
      reject(error as Error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      try {
        if (length > limitBytes) throw refuse('request_too_large');
        take(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve();
    };
    const onBreak = (): void => {
      stop();
      reject(refuse('request_aborted'));
    };
    const stop = (): void => {
      message.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
    };
    const isAnnounced = Number(message.headers['content-length'] ?? 0) > limitBytes;
    if (isAnnounced && !readsBeginning) fail(refuse('request_too_large'));
    else message.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });
}

function drain(message: IncomingMessage, limitBytes: number): void {
  let length = 0;
  message.on('error', () => undefined);
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limitBytes) message.destroy();
  });
}
