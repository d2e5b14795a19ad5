import { ErrorType, type EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { StoreUnavailable } from '../../../kernel/ports/event-store';
import { AppendCall } from './append-call';
import { typedError } from './append-messages';
import type { AppendRequest } from './event-store-client';

/** Parts of the client that its types hide: calls by its connection and credentials, and its reconnection. */
type ClientInside = {
  getGRPCClient(client: typeof StreamsClient, name: string): Promise<StreamsClient>;
  callArguments(options: object, callOptions: { readonly deadline: number }): Parameters<StreamsClient['batchAppend']>;
  handleError(client: StreamsClient, error: Error): Promise<void>;
};

/**
 * The server's batched append over a client's connection. The client's own method, `appendToStream`, shares one map of
 * promises among all clients of the process. Its appends stay pending when the server ends the call. A full buffer, or
 * an answer to no known append, ends in an unhandled rejection or exception. So the call is made here, and kept until
 * its end.
 */
export class BatchedAppends {
  private readonly client: ClientInside;
  private starting: Promise<AppendCall> | null = null;
  private call: AppendCall | null = null;
  private isClosed = false;

  constructor(client: EventStoreDBClient) {
    this.client = client as unknown as ClientInside;
  }

  append(request: AppendRequest): Promise<bigint> {
    if (this.call) return this.call.append(request);
    this.starting ??= this.start().finally(() => (this.starting = null));
    return this.starting.then(call => call.append(request));
  }

  forget(number: number): void {
    this.call?.forget(number);
  }

  close(): void {
    this.isClosed = true;
    this.call?.end(typedError(ErrorType.CANCELLED, 'the connection was closed'));
  }

  /** Throws StoreUnavailable: no append has been sent. */
  private async start(): Promise<AppendCall> {
    try {
      const streams = await this.client.getGRPCClient(StreamsClient, 'appends');
      if (this.isClosed) throw new Error('the connection was closed');
      const stream = streams.batchAppend(...this.client.callArguments({}, { deadline: Infinity }));
      this.call = new AppendCall(stream, error => {
        this.call = null;
        // The client takes a new channel, or goes to the leader. If that fails, the next call finds out.
        this.client.handleError(streams, error).catch(() => undefined);
      });
      return this.call;
    } catch (error) {
      throw new StoreUnavailable(`EventStoreDB takes no call of appends: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
