import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { FakeLog, type Entry } from './fake-log';
import { WireAppend } from './wire-append';
import { WireCall } from './wire-call';

const PACKAGE = 'event_store.client';
const BATCH_APPEND = `${PACKAGE}.streams.Streams/BatchAppend`;
const FEATURES: readonly (readonly [string, string, readonly string[]])[] = [
  [`${PACKAGE}.streams.Streams`, 'batchappend', []],
  [`${PACKAGE}.persistent_subscriptions.PersistentSubscriptions`, 'getinfo', ['all', 'stream']],
];
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

/** An append and the call that brought it. */
export type Arrival = { readonly append: WireAppend; readonly call: WireCall };

/**
 * EventStoreDB 23.10 on the wire, for tests with the real client. The server has the batched append, reads of streams,
 * and the probe of a connection. All other calls are answered as not implemented.
 */
export class WireServer {
  readonly log = new FakeLog();
  readonly calls: string[] = [];
  readonly deniedStreams = new Set<string>();
  readonly deletedStreams = new Set<string>();
  mostAppendBytes = 1_024 * 1_024;
  /** Takes an append from the server's hands, when it answers true. */
  meddle: (arrival: Arrival) => boolean = () => false;
  /** The server's wall clock may be another than the client's. */
  skewMs = 0;
  private readonly http: Http2Server;
  private readonly sessions = new Set<ServerHttp2Session>();

  private constructor() {
    this.http = createServer();
    this.http.on('session', session => {
      this.sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => this.sessions.delete(session));
    });
    this.http.on('stream', (stream, headers) => this.answer(String(headers[':path']).slice(1), stream));
  }

  static async start(): Promise<WireServer> {
    const server = new WireServer();
    await new Promise<void>(resolve => void server.http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** The number of times that the calls for appends were opened. */
  get batchedCalls(): number {
    return this.calls.filter(call => call === BATCH_APPEND).length;
  }

  now(): number {
    return Date.now() + this.skewMs;
  }

  async stop(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    await new Promise(resolve => this.http.close(resolve));
  }

  private answer(path: string, stream: ServerHttp2Stream): void {
    this.calls.push(path);
    const handlers: Readonly<Record<string, () => (body: Buffer) => void>> = {
      [`${PACKAGE}.server_features.ServerFeatures/GetSupportedMethods`]: () => () => {
        call.send(supportedMethods());
        call.end();
      },
      [`${PACKAGE}.persistent_subscriptions.PersistentSubscriptions/GetInfo`]: () => () =>
        call.end(NOT_FOUND, 'no such group', { exception: 'persistent-subscription-does-not-exist' }),
      [`${PACKAGE}.streams.Streams/Read`]: () => body => this.read(call, ReadReq.deserializeBinary(body)),
      [BATCH_APPEND]: () => this.appends(() => call),
    };
    const handler = handlers[path]?.() ?? (() => call.end(UNIMPLEMENTED, path));
    const call: WireCall = new WireCall(stream, body => handler(body));
  }

  /** Appends that are not final yet stay with their call. */
  private appends(call: () => WireCall): (body: Buffer) => void {
    const pending = new Map<string, WireAppend>();
    return body => {
      const request = BatchAppendReq.deserializeBinary(body);
      const key = JSON.stringify(request.getCorrelationId()?.toObject());
      if (request.hasOptions()) pending.set(key, new WireAppend(request, this.log, this));
      const append = pending.get(key);
      if (!append) return;
      append.add(request);
      const refusal = append.refusal();
      if (!refusal && !request.getIsFinal()) return;
      pending.delete(key);
      if (refusal) call().send(refusal);
      else if (!this.meddle({ append, call: call() })) call().send(append.write());
    };
  }

  private read(call: WireCall, request: ReadReq): void {
    const options = request.getOptions();
    const asked = options?.getStream();
    if (!asked) return call.end(UNIMPLEMENTED, 'reads of $all');
    const name = Buffer.from(asked.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const standing = this.log.stream(name);
    const from = asked.hasRevision() ? Number(asked.getRevision()) : null;
    const isBackwards = options?.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
    const found = isBackwards ? standing.slice(0, (from ?? Infinity) + 1).reverse() : standing.slice(from ?? 0);
    if (standing.length === 0) call.send(new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound()));
    for (const entry of found.slice(0, Number(options?.getCount()))) call.send(readEvent(entry));
    call.end();
  }
}

function supportedMethods(): SupportedMethods {
  const methods = FEATURES.map(([service, method, features]) =>
    new SupportedMethod()
      .setServiceName(service)
      .setMethodName(method)
      .setFeaturesList([...features]),
  );
  return new SupportedMethods().setMethodsList(methods).setEventStoreServerVersion('23.10.6');
}

function readEvent({ start, stream, revision, id, type, data, metadata }: Entry): ReadResp {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new UUID().setString(id))
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(String(revision))
    .setCommitPosition(String(start))
    .setPreparePosition(String(start))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata ?? ''));
  recorded.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '0');
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded).setNoPosition(new Empty()));
}
