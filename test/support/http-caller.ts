import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export type Call = {
  readonly method: string;
  /** The path is sent as it is, query included. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Looks on while a request is under way; null where no answer came. */
export type RequestWatch = { begin(call: Call): (reply: Reply | null) => void };

const ANSWER_LIMIT_MS = 15_000;

/** Plain HTTP over kept connections: unlike fetch it neither mends nor refuses a request. */
export class HttpCaller {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly port: number,
    private readonly watch: RequestWatch | null = null,
  ) {}

  /** Rejects where no whole answer comes, and with what the watch has to say against the request. */
  async send(call: Call): Promise<Reply> {
    const ended = this.watch?.begin(call);
    const reply = await this.answer(call).catch((error: unknown) => {
      ended?.(null);
      throw error;
    });
    ended?.(reply);
    return reply;
  }

  private answer({ method, path, headers = {}, body }: Call): Promise<Reply> {
    return new Promise((resolve, reject) => {
      // Node writes the length by itself for some methods only; without one the body would be taken for the next
      // request.
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const framed = { ...length, ...headers };
      const options = { host: '127.0.0.1', port: this.port, method, path, headers: framed, agent: this.agent };
      const sent = request({ ...options, timeout: ANSWER_LIMIT_MS } as never, response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
