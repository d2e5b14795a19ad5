import { NestFactory, Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Type, DynamicModule } from '@nestjs/common';
import { LogController, type FastifyHttpOptions, type FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import { SECOND_MS, type Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Mode } from '../../vocabulary/modes';
import { timedId } from '../../vocabulary/ids';
import { PORTS } from '../../kernel/ports/injection';
import type { IdempotencyRecords } from '../idempotency/idempotency-records';
import type { Logger } from '../logging/logger';
import { NestLog } from '../logging/nest-log';
import type { RateLimits } from '../rate-limits/rate-limits';
import type { RequestLog } from '../request-log/request-log';
import type { AdminAdmission } from './admin-admission';
import { AllErrorsFilter } from './all-errors.filter';
import { ApiAdapter } from './api-adapter';
import { keepAnswers } from './answer-keeping';
import { ApiKeyGuard } from './api-key.guard';
import { KeyAuthentication, MfaVerification } from './authentication';
import { BodyStep } from './body.step';
import { boundClosing } from './bounded-closing';
import { ClientErrorAnswer } from './client-errors';
import { clientIp } from './client-ip';
import { limitConnections } from './connection-limit';
import { FormTokenStep } from './form-token.step';
import { IdempotencyStep } from './idempotency.step';
import { MfaStep } from './mfa.step';
import { serveDocs } from './docs-routes';
import type { FaultPages } from './fault-pages';
import type { PageAdmission } from './page-admission';
import { pageHosts } from './page-hosts';
import { limitRequests, RequestRates } from './rate-limit';
import { gateRequests } from './request-gate';
import { logRequests } from './request-log';
import { recordRequests } from './request-recorder';
import { RequestSteps } from './request-steps.guard';
import { serverInTurns } from './request-turns';
import { sandboxHost } from './sandbox-host';
import { addFixedHeaders } from './response-headers';
import { trustedProxies } from './trusted-proxies';

/** The time in which a client must have sent its whole request. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
/** The time by which a slow client may exceed these limits. */
const CHECK_INTERVAL_MS = 2 * SECOND_MS;
/**
 * A client that takes nothing of its answer for so long is cut off: what it leaves untaken is held in memory. Streams
 * say something more often, and every request is answered sooner.
 */
export const IDLE_MS = 120 * SECOND_MS;
/** The greatest length of a request's head, so that the route itself answers an id that is too long to exist. */
const MAX_PARAM_LENGTH = 16_384;
const BODY_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

type HttpConfig = {
  readonly publicUrl: string;
  /** The address that takes test keys only; by default there is none. */
  readonly sandboxUrl?: string | null;
  readonly docsUrl: string;
  readonly dashboardUrl: string;
  /** The address of customers' pages; by default they have none of their own. */
  readonly checkoutUrl?: string;
  /** The address of administrators' pages; by default they have none of their own. */
  readonly consoleUrl?: string;
  readonly modes: readonly Mode[];
  /** Proxies in front of this process, whose word on the client's address counts; by default none. */
  readonly trustedProxies?: number;
};

export type HttpOptions = {
  readonly config: HttpConfig;
  readonly log: Logger;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Without rate limits, any number of requests and connections is served. */
  readonly rateLimits?: RateLimits | null;
  /** Without a request log, a request leaves only its log line. */
  readonly requestLog?: RequestLog | null;
  /** Without records, a request with an Idempotency-Key is answered as a bug. */
  readonly idempotency?: IdempotencyRecords | null;
  /** Without pages, every refusal is told in the envelope. */
  readonly faultPages?: FaultPages | null;
  /** Finds the part that lets people into pages; without it, no page asks who reads it. */
  readonly admission?: (app: NestFastifyApplication) => PageAdmission;
  /** Finds the part that lets administrators in; without it, no route is theirs. */
  readonly adminAdmission?: (app: NestFastifyApplication) => AdminAdmission;
};

/**
 * The API's server around `rootModule`, which must provide PORTS.clock, PORTS.entropy, KeyAuthentication and
 * MfaVerification. Checks run in the order of the contract. First the gate checks path, route and method. Then the
 * guard checks authentication, key kind, scope, rate limit and version. Then the body's step checks content type, body
 * and validation. Then idempotency and MFA are checked, each by its own step. Last the command checks the state.
 */
export async function createHttpApp(
  rootModule: Type | DynamicModule,
  options: HttpOptions,
): Promise<NestFastifyApplication> {
  const { config, log, clock, entropy, rateLimits = null, requestLog = null } = options;
  const newRequestId = requestIds(clock, entropy);
  const rates = new RequestRates(rateLimits);
  const clientErrors = new ClientErrorAnswer(config, log, newRequestId, rates);
  const adapter = new ApiAdapter(serverOptions(config, log, clientErrors, newRequestId));
  const server = adapter.getInstance() as unknown as FastifyInstance;
  // Bodies are read behind the guards, by the body's step, so the server itself must not.
  for (const method of BODY_METHODS) server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  answerHeads(server);
  ignoreExpectations(server.server);
  server.server.on('connect', clientErrors.onConnect);
  // Behind a proxy, all connections come from the address of the proxy.
  if (rateLimits && !config.trustedProxies) limitConnections(server.server);
  boundClosing(server, clock);
  addFixedHeaders(server);
  logRequests(server, log);
  keepAnswers(server, config, log);
  if (requestLog) recordRequests(server, requestLog, clock);
  gateRequests(server, rates, pageHosts({ checkoutUrl: config.publicUrl, consoleUrl: config.publicUrl, ...config }));
  limitRequests(server, rates);

  const app = await NestFactory.create<NestFastifyApplication>(rootModule, adapter, {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  addSteps(app, options, rates);
  serveDocs(app, config);
  return app;
}

/** Each route that answers GET answers HEAD too. The server by itself would make a second route for each of them. */
function answerHeads(server: FastifyInstance): void {
  server.addHook('onRoute', route => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD'];
  });
}

/** The server itself would answer an unknown expectation without the envelope. Ignoring the expectation is allowed. */
function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function serverOptions(
  config: HttpConfig,
  log: Logger,
  clientErrors: ClientErrorAnswer,
  newRequestId: () => string,
): FastifyHttpOptions<Server> {
  return {
    serverFactory: serverInTurns,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    trustProxy: trustedProxies(config.trustedProxies ?? 0),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_MS,
    // The gate refuses a request without a Host, with the envelope; the server's own answer has none.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: clientErrors.onSocket,
    frameworkErrors: (_, request, reply) => {
      const { status, headers, body } = clientErrors.badPath(request.id, clientIp(request));
      reply.code(status as never).headers(headers);
      reply.send(body as never);
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  };
}

function addSteps(
  app: NestFastifyApplication,
  { config, log, idempotency = null, faultPages = null, admission: admissionIn, adminAdmission: adminsIn }: HttpOptions,
  rates: RequestRates,
): void {
  const reflector = app.get(Reflector);
  const provided = <T>(token: symbol | (abstract new () => T)): T => app.get<T>(token, { strict: false });
  const [clock, entropy] = [provided<Clock>(PORTS.clock), provided<Entropy>(PORTS.entropy)];
  const isSandbox = sandboxHost(config.sandboxUrl ?? null);
  const [admission, admins] = [admissionIn?.(app) ?? null, adminsIn?.(app) ?? null];
  app.useGlobalFilters(new AllErrorsFilter(config, log, faultPages, rates));
  app.useGlobalGuards(
    new ApiKeyGuard(
      ...([
        reflector,
        provided(KeyAuthentication),
        config.modes,
        clock,
        entropy,
        rates,
        isSandbox,
        admission,
        admins,
      ] as const),
    ),
    new RequestSteps(
      new BodyStep(reflector, provided),
      new FormTokenStep(reflector, admission),
      new IdempotencyStep(reflector, idempotency),
      new MfaStep(reflector, provided(MfaVerification), admins),
    ),
  );
}

function requestIds(clock: Clock, entropy: Entropy): () => string {
  return () => timedId('req', clock.now(), entropy.bytes(10));
}
