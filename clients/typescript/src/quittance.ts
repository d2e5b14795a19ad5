import { setTimeout as pause } from 'node:timers/promises';
import { API_VERSION } from './generated/api-version';
import { Resources } from './generated/resources';
import { checkOptions, type OptionNames } from './known-options';
import { retryCount, timeLimit } from './limits';
import { Transport, type Fetch, type TransportSettings } from './transport';

const MAX_RETRIES = 3;
/** Longer than the service waits for any of its own providers. */
const TIMEOUT_MS = 60_000;
const KEY = /^[sr]k_(?:test|live)_\w+$/;

export interface QuittanceOptions {
  /** A secret or restricted key; it decides the mode, test or live. */
  readonly apiKey: string;
  /** The service's address, such as `https://pay.example.com`; paths below it start with `/v1`. */
  readonly baseUrl: string;
  /**
   * `YYYY-MM-DD`; by default the version of this client's types, whatever the account is pinned to. Answers of another
   * version may lack fields of the types. An endpoint for webhooks is pinned to this version when the client creates
   * one.
   */
  readonly apiVersion?: string;
  /** The number of further attempts after a passing fault; by default 3, 0 for none. */
  readonly maxRetries?: number;
  /** The limit for each attempt, in milliseconds; by default a minute. */
  readonly timeoutMs?: number;
  readonly fetch?: Fetch;
  readonly sleep?: TransportSettings['sleep'];
  /** A number from 0 up to, not with, 1. */
  readonly random?: () => number;
}

const OPTIONS: OptionNames<QuittanceOptions> = {
  apiKey: true,
  baseUrl: true,
  apiVersion: true,
  maxRetries: true,
  timeoutMs: true,
  fetch: true,
  sleep: true,
  random: true,
};

/** The API of one merchant in one mode. */
export class Quittance extends Resources {
  /** Throws TypeError or RangeError for impossible options, and TypeError for an unknown one. */
  constructor(options: QuittanceOptions) {
    checkOptions(options, OPTIONS);
    const { apiKey, baseUrl, apiVersion, maxRetries, timeoutMs, fetch, sleep, random } = options;
    if (!KEY.test(apiKey)) throw new TypeError('apiKey is not a secret or restricted key');
    super(
      new Transport({
        apiKey,
        baseUrl: withoutSlash(baseUrl),
        apiVersion: apiVersion ?? API_VERSION,
        maxRetries: retryCount(maxRetries ?? MAX_RETRIES),
        timeoutMs: timeLimit(timeoutMs ?? TIMEOUT_MS),
        fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
        sleep: sleep ?? sleepUnlessAborted,
        random: random ?? Math.random,
      }),
    );
  }
}

async function sleepUnlessAborted(delayMs: number, signal?: AbortSignal): Promise<void> {
  await pause(delayMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}

function withoutSlash(baseUrl: string): string {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl) || /[?#]/.test(baseUrl))
    throw new TypeError(`baseUrl is not an http address: ${baseUrl}`);
  let end = baseUrl.length;
  while (baseUrl[end - 1] === '/') end -= 1;
  return baseUrl.slice(0, end);
}
