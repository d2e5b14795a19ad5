import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../vocabulary/errors';
import type { ApiRequest } from './caller';
import type { HostCheck } from './page-hosts';
import type { RequestRates } from './rate-limit';
import { RouteTable } from './route-table';

const CLEAN_TARGET = /^[\x21-\x7e]+$/;

/**
 * The first checks of a request: its path, its host, its route, its method, its query's shape. The gate stands before
 * authentication, so a refused request is charged to its client's address.
 */
export function gateRequests(server: FastifyInstance, rates: RequestRates, isServedAt: HostCheck): void {
  const routes = new RouteTable();
  server.addHook('onRoute', route => routes.add(route));
  server.addHook('onRequest', async (request: ApiRequest, reply) => {
    try {
      checkTarget(routes, isServedAt, request, reply);
    } catch (error) {
      rates.chargeAddress(request);
      throw error;
    }
  });
}

function checkTarget(routes: RouteTable, isServedAt: HostCheck, request: FastifyRequest, reply: FastifyReply): void {
  const target = request.raw.url ?? '/';
  const [path = '/'] = target.split('?');
  if (request.raw.httpVersion !== '1.0' && request.headers.host === undefined)
    throw refuse('invalid_request', { message: 'The request has no Host header.' });
  if (hostsOf(request) > 1) throw refuse('invalid_request', { message: 'The request has more than one Host header.' });
  if (!CLEAN_TARGET.test(path)) throw refuse('invalid_path');
  // The router decodes a path, and cuts the host off a whole URL: the route alone tells what a request reaches.
  if (!isServedAt(request.headers.host, request.routeOptions.url ?? path)) throw refuse('unknown_route');
  const param = routes.missingParameter(path);
  if (param !== null) throw refuse('missing_path_parameter', { param });
  if (request.is404) {
    const methods = routes.methodsAt(path);
    if (methods.length === 0 || methods.includes(request.method)) throw refuse('unknown_route');
    reply.header('allow', methods.join(', '));
    throw refuse('method_not_allowed');
  }
  const query = request.query as Readonly<Record<string, unknown>>;
  const repeated = Object.keys(query).find(key => Array.isArray(query[key]));
  if (repeated !== undefined)
    throw refuse('parameter_invalid', { param: repeated, message: 'A query parameter is given more than once.' });
}

function hostsOf({ raw }: FastifyRequest): number {
  return raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}
