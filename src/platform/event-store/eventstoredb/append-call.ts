import { ErrorType } from '@eventstore/db-client';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { StoreUnavailable } from '../../../kernel/ports/event-store';
import { appendAnswer, appendMessage, typedError } from './append-messages';
import { describe } from './client-errors';
import type { AppendRequest } from './event-store-client';

/** Limits on appends without an answer yet: while the server takes nothing, their messages wait in memory. */
const MOST_WAITING = 4_096;
const MOST_WAITING_BYTES = 64 * 1_024 * 1_024;
const UNAUTHENTICATED = 16;

/** The used part of the gRPC call. Answers may still come after an `error`. */
type AppendStream = {
  write(request: BatchAppendReq): boolean;
  on(event: 'data', listener: (response: BatchAppendResp) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  cancel(): void;
};

type Waiting = {
  readonly bytes: number;
  readonly resolve: (revision: bigint) => void;
  readonly reject: (error: Error) => void;
};

/**
 * One call that carries the appends of a connection and their answers, in any order. However the call ends, each append
 * that waits is rejected once. An answer to an append that no longer waits is dropped.
 */
export class AppendCall {
  private readonly waiting = new Map<number, Waiting>();
  private waitingBytes = 0;
  private isOver = false;

  constructor(
    private readonly stream: AppendStream,
    private readonly onEnd: (error: Error) => void,
  ) {
    stream.on('data', response => this.take(response));
    stream.on('error', error => this.end(asTyped(error)));
    // A server may end the call without an error, and then answers none of the appends that wait.
    stream.on('end', () => this.end(typedError(ErrorType.CANCELLED, 'the server ended the call of appends')));
  }

  append(request: AppendRequest): Promise<bigint> {
    if (this.isOver) return Promise.reject(new StoreUnavailable('the call of appends has ended'));
    const bytes = request.events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    if (this.waiting.size >= MOST_WAITING || this.waitingBytes + bytes > MOST_WAITING_BYTES) {
      return Promise.reject(new StoreUnavailable(`${this.waiting.size} appends wait for EventStoreDB's answer`));
    }
    const message = appendMessage(request);
    return new Promise((resolve, reject) => {
      this.waiting.set(request.number, { bytes, resolve, reject });
      this.waitingBytes += bytes;
      // A full buffer of the stream stops nobody: the limits above bound the buffer.
      this.stream.write(message);
    });
  }

  /** Drops the append's answer, if the answer still comes. */
  forget(number: number): Waiting | undefined {
    const waiting = this.waiting.get(number);
    if (!waiting) return undefined;
    this.waiting.delete(number);
    this.waitingBytes -= waiting.bytes;
    return waiting;
  }

  /** Ends the call for all waiting appends. */
  end(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stream.cancel();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.waitingBytes = 0;
    this.onEnd(error);
  }

  private take(response: BatchAppendResp): void {
    const answer = appendAnswer(response);
    const waiting = this.forget(answer.number);
    if ('error' in answer) waiting?.reject(answer.error);
    else waiting?.resolve(answer.revision);
  }
}

/** A refusal of the whole call refuses every waiting append; any other end leaves their outcomes unknown. */
function asTyped(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  return code === UNAUTHENTICATED ? typedError(ErrorType.ACCESS_DENIED, describe(error), error) : error;
}
