import { Quittance, type QuittanceOptions } from '../../clients/typescript/src';
import type { HttpAnswer, HttpRequest } from '../../clients/typescript/src';

export const KEY = 'sk_test_0123456789abcdef';

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it comes, for the rows of a file. */
  readonly parts?: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
};

export type SentRequest = HttpRequest & { readonly url: string };

export type Answering = {
  readonly client: Quittance;
  readonly sent: readonly SentRequest[];
  /** The client's pauses between its attempts, in milliseconds. */
  readonly pauses: readonly number[];
};

export function refusal(status: number, type: string, code: string, headers: Answer['headers'] = {}): Answer {
  const error = {
    type,
    code,
    message: 'No.',
    doc_url: `https://docs.example/errors/${code}`,
    request_log_url: 'https://dash.example/requests/req_1',
  };
  return { status, body: { error }, headers: { 'request-id': 'req_1', ...headers } };
}

/**
 * A client that meets these answers in this order, where an Error is a connection that fails; the last one again for
 * ever.
 */
export function answering(answers: readonly (Answer | Error)[], options: Partial<QuittanceOptions> = {}): Answering {
  const sent: SentRequest[] = [];
  const pauses: number[] = [];
  const client = new Quittance({
    apiKey: KEY,
    baseUrl: 'https://pay.example/',
    random: () => 0.5,
    sleep: pauseMs => {
      pauses.push(pauseMs);
      return Promise.resolve();
    },
    fetch: (url, request) => {
      sent.push({ ...request, url });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return answer && !(answer instanceof Error)
        ? Promise.resolve(httpAnswer(answer, request.signal))
        : Promise.reject(answer as Error);
    },
    ...options,
  });
  return { client, sent, pauses };
}

function httpAnswer({ status, body, headers = {}, parts }: Answer, signal: AbortSignal): HttpAnswer {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: name => headers[name] ?? null },
    ...(parts && { body: parts(signal) }),
    text: () => Promise.resolve(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}
