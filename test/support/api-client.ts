import { Quittance, QuittanceError, type Fetch } from '../../clients/typescript/src';
import { OpenApiValidation } from './openapi-validation';

/** The service's answer breaks its own contract. */
export class ContractBreach extends QuittanceError {}

export type ClientOptions = {
  /** None by default, so that a test sees each first answer. */
  readonly maxRetries?: number;
};

/** Transfers that are played on a local chain wait for their turn, each for some seconds. */
const TIMEOUT_MS = 60_000;

/** The client that merchants have. Every answer is held against the contract before the client sees it. */
export function publishedClient(baseUrl: string, apiKey: string, { maxRetries = 0 }: ClientOptions = {}): Quittance {
  return new Quittance({ apiKey, baseUrl, maxRetries, timeoutMs: TIMEOUT_MS, fetch: checkedFetch(baseUrl) });
}

export type ApiObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/** An answer to ApiClient that was not a 2xx, with the catalogue code of its envelope. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly body: unknown,
  ) {
    super(`${status} ${code}: ${JSON.stringify(body)}`);
  }
}

/** Sends any body, also one that no typed client would send; its answers are held against the contract as well. */
export class ApiClient {
  private readonly fetch: Fetch;

  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {
    this.fetch = checkedFetch(baseUrl);
  }

  get<T = ApiObject>(path: string): Promise<T> {
    return this.request<T>('GET', path);
  }

  /** `code` is the one-time code that high-risk calls ask for. */
  post<T = ApiObject>(path: string, body?: object, code?: string): Promise<T> {
    return this.request<T>('POST', path, body, code);
  }

  put<T = ApiObject>(path: string, body: object, code?: string): Promise<T> {
    return this.request<T>('PUT', path, body, code);
  }

  private async request<T>(method: string, path: string, body?: object, code?: string): Promise<T> {
    const response = await this.fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(code && { 'mfa-code': code }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = JSON.parse(await response.text()) as { readonly error?: { readonly code: string } };
    if (!response.ok) throw new ApiFailure(response.status, answer.error?.code ?? 'no envelope', answer);
    return answer as T;
  }
}

function checkedFetch(baseUrl: string): Fetch {
  let contract: OpenApiValidation | null = null;
  return async (url, request) => {
    const { method } = request;
    const answer = await fetch(url, request);
    const { ok, status, headers } = answer;
    const body = await answer.text();
    contract ??= OpenApiValidation.kept('public') ?? (await OpenApiValidation.of(baseUrl));
    try {
      const type = headers.get('content-type') ?? undefined;
      contract.checkText({ method, path: new URL(url).pathname, status }, type, body);
    } catch (error) {
      // The error is no broken connection, so nothing asks again and the test fails by it.
      throw new ContractBreach(`${method} ${url}: ${String(error)}`, { cause: error });
    }
    return { ok, status, headers, body: new Blob([body]).stream(), text: () => Promise.resolve(body) };
  };
}
