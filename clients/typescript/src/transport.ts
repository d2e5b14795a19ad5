import { randomUUID } from 'node:crypto';
import { readAnswer, type HttpAnswer } from './answer';
import { ConnectionError, QuittanceError } from './errors';
import { checkOptions } from './known-options';
import { retryCount, TimeLimit, timeLimit } from './limits';
import { List, type ListPage } from './list';
import { Rows, type BegunAnswer } from './rows';
import { REQUEST_OPTIONS, type RequestOptions } from './request-options';
import type { ApiRequest, Requester } from './requester';
import { isUnprocessed, pauseBeforeRetry } from './retry';
import { CLIENT_VERSION } from './version';

/** Names the client in the service's request log. */
const USER_AGENT = `quittance-client/${CLIENT_VERSION} node/${process.versions.node}`;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: HttpRequest) => Promise<HttpAnswer>;

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface TransportSettings {
  readonly apiKey: string;
  /** The URL without a slash at its end. */
  readonly baseUrl: string;
  readonly apiVersion: string;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly fetch: Fetch;
  /** Resolves after that long, or as soon as the signal aborts. */
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 up to, not with, 1. */
  readonly random: () => number;
}

/** Sends requests until one is answered for good. */
export class Transport implements Requester {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /**
   * Throws RefusedError, ConnectionError or UnexpectedAnswerError, and TypeError or RangeError for impossible options.
   * An option that does not exist is a TypeError too.
   * Rejects with the reason of `options.signal` once that aborts.
   */
  async send<T>(request: ApiRequest, options: RequestOptions = {}): Promise<T> {
    return (await this.#retried(request, options, 'application/json', readWhole)) as T;
  }

  /** Attempts are made until the file begins. From then on, `timeoutMs` is the limit for each part of it. */
  rows<T>({ path, query }: Omit<ApiRequest, 'method' | 'body'>, options: RequestOptions = {}): Rows<T> {
    const request = { method: 'GET', path, query: { ...query, format: 'jsonl' } } as const;
    return new Rows<T>(() => this.#retried(request, options, 'application/x-ndjson', refusedOr));
  }

  async #retried<T>(
    request: ApiRequest,
    options: RequestOptions,
    accept: string,
    read: (begun: BegunAnswer) => Promise<T>,
  ): Promise<T> {
    checkOptions(options, REQUEST_OPTIONS);
    const url = this.#settings.baseUrl + request.path + queryText(request.query);
    const init = this.#init(request, options, accept);
    const maxRetries = retryCount(options.maxRetries ?? this.#settings.maxRetries);
    const timeoutMs = timeLimit(options.timeoutMs ?? this.#settings.timeoutMs);
    const { sleep, random } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      try {
        return await this.#attempt(url, init, timeoutMs, options.signal, read);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof QuittanceError) || attempt > maxRetries) throw error;
        if (!mayRepeat(request, options) && !isUnprocessed(error)) throw error;
        const pauseMs = pauseBeforeRetry(error, attempt, random);
        if (pauseMs === null) throw error;
        await sleep(pauseMs, options.signal);
      }
    }
  }

  list<T>({ path, query }: Omit<ApiRequest, 'method' | 'body'>, options?: RequestOptions): List<T> {
    return new List<T>(startingAfter => {
      const from = startingAfter === null ? {} : { starting_after: startingAfter };
      return this.send<ListPage<T>>({ method: 'GET', path, query: { ...query, ...from } }, options);
    });
  }

  #init({ method, body }: ApiRequest, options: RequestOptions, accept: string): Omit<HttpRequest, 'signal'> {
    const { apiKey, apiVersion } = this.#settings;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept,
      'user-agent': USER_AGENT,
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': options.idempotencyKey ?? randomUUID() }),
      'api-version': options.apiVersion ?? apiVersion,
      ...(options.mfaCode !== undefined && { 'mfa-code': options.mfaCode }),
      ...(options.mfaProof !== undefined && { 'mfa-proof': options.mfaProof }),
      ...(options.mfaUser !== undefined && { 'mfa-user': options.mfaUser }),
    };
    for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
    // A redirect is not followed: the key is for this one address.
    return { method, headers, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) };
  }

  async #attempt<T>(
    url: string,
    init: Omit<HttpRequest, 'signal'>,
    timeoutMs: number,
    aborted: AbortSignal | undefined,
    read: (begun: BegunAnswer) => Promise<T>,
  ): Promise<T> {
    const limit = new TimeLimit(timeoutMs);
    const signal = aborted ? AbortSignal.any([aborted, limit.signal]) : limit.signal;
    try {
      limit.start();
      return await read({ answer: await this.#settings.fetch(url, { ...init, signal }), limit, signal: aborted });
    } catch (error) {
      limit.stop();
      if (error instanceof QuittanceError) throw error;
      throw new ConnectionError(`${init.method} ${url}: no answer came`, { cause: error });
    }
  }
}

async function readWhole({ answer, limit }: BegunAnswer): Promise<unknown> {
  const value = await readAnswer(answer);
  limit.stop();
  return value;
}

/** The begun answer, or what the service refuses with. */
async function refusedOr(begun: BegunAnswer): Promise<BegunAnswer> {
  if (!begun.answer.ok) await readAnswer(begun.answer);
  return begun;
}

/** Without this check `fetch` would throw, which looks like a connection that failed. The value may be a secret. */
function checkHeader(name: string, value: unknown): void {
  if (typeof value !== 'string' || !HEADER_VALUE.test(value))
    throw new TypeError(`the value of the header ${name} is not visible ASCII`);
}

/** A one-time code is spent by its first use; only an idempotency key lets the same request use it again. */
function mayRepeat({ method }: ApiRequest, { mfaCode, mfaProof }: RequestOptions): boolean {
  return method === 'POST' || (mfaCode === undefined && mfaProof === undefined);
}

function queryText(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
