import type { List } from './list';
import type { Rows } from './rows';
import type { RequestOptions } from './request-options';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
}

/** The way of the generated resources to the service. */
export interface Requester {
  send<T>(request: ApiRequest, options?: RequestOptions): Promise<T>;
  rows<T>(request: Omit<ApiRequest, 'method' | 'body'>, options?: RequestOptions): Rows<T>;
  list<T>(request: Omit<ApiRequest, 'method' | 'body'>, options?: RequestOptions): List<T>;
}
