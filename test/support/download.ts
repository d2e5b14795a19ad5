import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

type Asked = { readonly port: number; readonly path: string; readonly key: string };

/** An answer that the caller takes part by part, over a connection of its own. */
export async function beginDownload({ port, path, key }: Asked): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const request = get({ host: '127.0.0.1', port, path, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A reset is told to the request too, which nobody asks any more.
  request.on('error', () => undefined);
  return response;
}

export type Downloaded = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The connection's fault; null where the whole answer came. */
  readonly fault: string | null;
};

/** The answer with as much of its text as came. */
export async function download(asked: Asked): Promise<Downloaded> {
  const response = await beginDownload(asked);
  const parts: Buffer[] = [];
  let fault: string | null = null;
  try {
    for await (const part of response) parts.push(part as Buffer);
  } catch (error) {
    fault = (error as NodeJS.ErrnoException).code ?? String(error);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text: Buffer.concat(parts).toString(), fault };
}
