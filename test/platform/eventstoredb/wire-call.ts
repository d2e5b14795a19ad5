import type { ServerHttp2Stream } from 'node:http2';

const FRAME_HEAD_BYTES = 5;
const OPENING = { ':status': 200, 'content-type': 'application/grpc' };

type Message = { serializeBinary(): Uint8Array };

/** One gRPC call as a server has it: messages come and go in frames of five bytes and a body, and trailers end it. */
export class WireCall {
  private received = Buffer.alloc(0);
  private trailers: Record<string, string> = { 'grpc-status': '0' };

  constructor(
    readonly stream: ServerHttp2Stream,
    private readonly onMessage: (body: Buffer) => void,
  ) {
    stream.on('data', (chunk: Buffer) => this.take(chunk));
    stream.on('error', () => undefined);
    stream.on('wantTrailers', () => stream.sendTrailers(this.trailers));
  }

  get isOpen(): boolean {
    return !this.stream.destroyed && !this.stream.writableEnded;
  }

  send(message: Message): void {
    if (!this.isOpen) return;
    if (!this.stream.headersSent) this.stream.respond(OPENING, { waitForTrailers: true });
    const body = Buffer.from(message.serializeBinary());
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt32BE(body.length, 1);
    this.stream.write(Buffer.concat([head, body]));
  }

  /** Ends it, well unless a status says otherwise. */
  end(status = 0, message = '', metadata: Readonly<Record<string, string>> = {}): void {
    if (!this.isOpen) return;
    this.trailers = { 'grpc-status': String(status), 'grpc-message': encodeURI(message), ...metadata };
    if (!this.stream.headersSent) {
      this.stream.respond({ ...OPENING, ...this.trailers }, { endStream: true });
    } else {
      this.stream.end();
    }
  }

  /** The connection under it breaks. */
  cut(): void {
    this.stream.session?.destroy();
  }

  /** The call takes nothing more in: further messages of the client fill its own buffers. */
  freeze(): void {
    this.stream.pause();
  }

  private take(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    while (this.received.length >= FRAME_HEAD_BYTES) {
      const end = FRAME_HEAD_BYTES + this.received.readUInt32BE(1);
      if (this.received.length < end) return;
      const body = this.received.subarray(FRAME_HEAD_BYTES, end);
      this.received = this.received.subarray(end);
      this.onMessage(body);
    }
  }
}
