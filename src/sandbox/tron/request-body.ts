import type { IncomingMessage } from 'node:http';
import { ParameterFault } from './parameters';

/** A signed transaction takes a thousandth of it; full nodes take four times as much. */
const MAX_BODY_BYTES = 1_024 * 1_024;

export class BodyTooLarge extends Error {}

/**
 * The parameters of a GET from its query, of a POST from its JSON body. A request may have no body. Throws
 * ParameterFault or BodyTooLarge.
 */
export async function parametersOf(request: IncomingMessage, query: URLSearchParams): Promise<unknown> {
  if (request.method === 'GET') return Object.fromEntries(query);
  const text = await bodyOf(request);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ParameterFault('the body is not JSON');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The end of the loop must not end the connection, which still has to carry the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
