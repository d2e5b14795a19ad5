export type ApiObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/** An answer that was not a 2xx, with the catalogue code of its envelope. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly body: unknown,
  ) {
    super(`${status} ${code}: ${JSON.stringify(body)}`);
  }
}

export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

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
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(code && { 'mfa-code': code }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await response.json()) as { readonly error?: { readonly code: string } };
    if (!response.ok) throw new ApiFailure(response.status, answer.error?.code ?? 'no envelope', answer);
    return answer as T;
  }
}
