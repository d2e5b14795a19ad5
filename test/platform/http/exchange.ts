import { connect } from 'node:net';
import { KEYS, type TestApp } from './http-test-app';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

export type Ask = {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes are sent as they are, any other body as JSON. */
  readonly body?: unknown;
};

export async function ask(
  app: TestApp,
  line: string,
  { key = KEYS.full, headers = {}, body }: Ask = {},
): Promise<Answer> {
  const [method, path] = line.split(' ') as [string, string];
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Sends bytes as they are, half-closes where told to, and reads every byte until the server closes. */
export function sendRaw(app: TestApp, bytes: string | Buffer, end = false): Promise<{ head: string; body: unknown }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(app.port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      resolve({ head, body: body === '' ? null : JSON.parse(body) });
    });
  });
}
