import { SetMetadata } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../vocabulary/errors';
import { addressSubject } from '../rate-limits/client-address';
import type { RateLimits, RateRule } from '../rate-limits/rate-limits';
import type { RateState } from '../rate-limits/token-bucket';
import type { ApiRequest } from './caller';
import { clientIp } from './client-ip';

export const UNMETERED = Symbol('unmetered');

/** A public route that costs nothing, such as a load balancer's check. */
export const Unmetered = () => SetMetadata(UNMETERED, true);

const READ_METHODS = ['GET', 'HEAD'];
/** The documentation is public, and no guard stands before it. */
const UNGUARDED_PAGES = /^\/(?:openapi\.json|docs(?:\/.*)?)$/;
const UNKNOWN_ADDRESS = 'unknown';
const TOO_MANY_REQUESTS = 429;
/**
 * The time for a limit that is not counted here, such as the limit on wrong one-time codes. That limit's window is ten
 * minutes long, and a new code comes every 30 s.
 */
const RETRY_AFTER_SECONDS = 30;

/** Charges requests to their key or their client's address. Without limits, every request passes. */
export class RequestRates {
  constructor(private readonly limits: RateLimits | null) {}

  /** Throws Refusal rate_limit. */
  chargeKey(request: ApiRequest, keyId: string): void {
    this.charge(request, READ_METHODS.includes(request.method) ? 'read' : 'write', keyId);
  }

  /** Throws Refusal rate_limit, and rate_limit_subject_required where the client's address is not known. */
  chargeAddress(request: ApiRequest): void {
    if (this.limits) this.charge(request, 'address', subjectOf(request));
  }

  /**
   * Charges the address of bytes that never became a request. The state of its limit; null where there are no limits.
   * Addresses that are not known share one limit.
   */
  chargeStranger(address: string | null): RateState | null {
    return this.limits?.take('address', strangerOf(address)) ?? null;
  }

  /** The headers about a limit; empty where there are no limits. */
  headersFor(address: string | null, state?: RateState): Readonly<Record<string, string>> {
    const shown = state ?? this.limits?.look('address', strangerOf(address));
    if (!shown) return {};
    return {
      'ratelimit-limit': String(shown.limit),
      'ratelimit-remaining': String(shown.remaining),
      'ratelimit-reset': String(shown.resetSeconds),
    };
  }

  private charge(request: ApiRequest, rule: RateRule, subject: string): void {
    if (!this.limits) return;
    request.rate = this.limits.take(rule, subject);
    if (!request.rate.allowed) throw refuse('rate_limit');
  }
}

/** Tells the state of the caller's limit in every answer, and in a refused one also the time of the next try. */
export function limitRequests(server: FastifyInstance, rates: RequestRates): void {
  server.addHook('onRequest', async (request: ApiRequest) => {
    if (UNGUARDED_PAGES.test(request.routeOptions.url ?? '')) rates.chargeAddress(request);
  });
  server.addHook('onSend', async (request: ApiRequest, reply) => {
    reply.headers(rates.headersFor(clientIp(request), request.rate));
    if (reply.statusCode !== TOO_MANY_REQUESTS || reply.hasHeader('retry-after')) return;
    const counted = request.rate?.allowed === false;
    reply.header('retry-after', String(counted ? request.rate?.retryAfterSeconds : RETRY_AFTER_SECONDS));
  });
}

function strangerOf(address: string | null): string {
  return (address === null ? null : addressSubject(address)) ?? UNKNOWN_ADDRESS;
}

function subjectOf(request: ApiRequest): string {
  const ip = clientIp(request);
  const subject = ip === null ? null : addressSubject(ip);
  if (subject === null) throw refuse('rate_limit_subject_required');
  return subject;
}
