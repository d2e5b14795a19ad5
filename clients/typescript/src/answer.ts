import { refusedError, UnexpectedAnswerError } from './errors';

/** The part of a `fetch` answer that the client reads. */
export interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The bytes as they come, which the rows of a file need. */
  readonly body?: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}

/**
 * The JSON of a success. Throws RefusedError for the service's refusals, UnexpectedAnswerError for an answer that is
 * not the service's JSON.
 */
export async function readAnswer(answer: HttpAnswer): Promise<unknown> {
  const body = parse(await answer.text());
  if (typeof body !== 'object' || body === null) throw new UnexpectedAnswerError(answer.status);
  if (answer.ok) return body;
  const { error } = body as { readonly error?: Readonly<Record<string, unknown>> };
  if (typeof error !== 'object' || error === null || typeof error.type !== 'string' || typeof error.code !== 'string')
    throw new UnexpectedAnswerError(answer.status);
  throw refusedError({
    status: answer.status,
    type: error.type,
    code: error.code,
    message: textOf(error.message),
    param: typeof error.param === 'string' ? error.param : null,
    docUrl: textOf(error.doc_url),
    requestLogUrl: textOf(error.request_log_url),
    requestId: answer.headers.get('request-id'),
    retryAfterSeconds: seconds(answer.headers.get('retry-after')),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function seconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
