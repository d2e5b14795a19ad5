import { SetMetadata } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { refuse } from '../../vocabulary/errors';
import { isAnyId } from '../../vocabulary/ids';
import { addressSubject } from '../rate-limits/client-address';
import type { RateLimits, RateRule } from '../rate-limits/rate-limits';
import type { RateState } from '../rate-limits/token-bucket';
import type { ApiRequest, Caller } from './caller';
import { clientIp } from './client-ip';
import type { Reader } from './page-admission';

export const UNMETERED = Symbol('unmetered');

/** A public route that costs nothing, such as a load balancer's check. */
export const Unmetered = () => SetMetadata(UNMETERED, true);

const READ_METHODS = ['GET', 'HEAD'];
/** The contract and the way to the documentation are public, and no guard stands before them. */
const UNGUARDED_PAGES = /^\/(?:openapi\.json|docs\/)?$/;
/** Requests of one key that a process works on at once, so that no key's slow requests hold up all others. */
const UNDER_WAY_LIMIT = 32;
const UNDER_WAY_RETRY_SECONDS = 1;
const UNKNOWN_ADDRESS = 'unknown';
const TOO_MANY_REQUESTS = 429;
/** The time for a limit that is not counted here, and whose refusal names no time. */
const RETRY_AFTER_SECONDS = 30;

type KeyHolder = Pick<Caller, 'keyId' | 'merchantId' | 'mode'>;

/** Charges requests to their key or their client's address. Without limits, every request passes. */
export class RequestRates {
  /** The number of requests under way in this process, by key. */
  private readonly underWay = new Map<string, number>();

  constructor(private readonly limits: RateLimits | null) {}

  /**
   * Charges the request to its key and to its account, whose limits are by mode. From then on the request is under way,
   * until `leave`. Throws Refusal rate_limit.
   */
  chargeKey(request: ApiRequest, holder: KeyHolder): void {
    if (!this.limits) return;
    this.chargeAccount(this.limits, request, holder);
    this.enter(request, holder.keyId);
  }

  /** Charges a page's request like a key's. */
  chargeReader(request: ApiRequest, reader: Reader): void {
    if (!this.limits) return;
    this.chargeAccount(this.limits, request, reader);
    this.enter(request, reader.keyId);
  }

  private chargeAccount(limits: RateLimits, request: ApiRequest, { keyId, merchantId, mode }: Reader): void {
    const rule = READ_METHODS.includes(request.method) ? 'read' : 'write';
    const account = `${merchantId}/${mode}`;
    request.rate = limits.look(`account_${rule}`, account);
    if (!request.rate.allowed) throw refuse('rate_limit');
    this.charge(request, rule, keyId);
    request.rate = tighter(request.rate, limits.take(`account_${rule}`, account));
  }

  /** The request is answered, and no longer under way. */
  leave(request: ApiRequest): void {
    const keyId = request.underWayBy;
    if (keyId === undefined) return;
    delete request.underWayBy;
    const left = (this.underWay.get(keyId) ?? 1) - 1;
    if (left > 0) this.underWay.set(keyId, left);
    else this.underWay.delete(keyId);
  }

  /** Throws Refusal rate_limit, and rate_limit_subject_required where the client's address is not known. */
  chargeAddress(request: ApiRequest): void {
    if (this.limits) this.charge(request, 'address', subjectOf(request));
  }

  /**
   * Charges the page's object, beside the client's address; for a page of many people, the object by address. A text
   * that is no id names no object. Throws Refusal rate_limit.
   */
  chargeForm(request: ApiRequest, isOfMany: boolean): void {
    const { id = '' } = request.params as { readonly id?: string };
    if (isAnyId(id)) this.charge(request, 'form', isOfMany ? `${id} ${strangerOf(clientIp(request))}` : id);
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
    return shown ? rateHeaders(shown) : {};
  }

  private enter(request: ApiRequest, keyId: string): void {
    const count = this.underWay.get(keyId) ?? 0;
    if (count >= UNDER_WAY_LIMIT) {
      const message = `At most ${UNDER_WAY_LIMIT} requests of a key are under way at once.`;
      throw refuse('rate_limit', { message, retryAfterSeconds: UNDER_WAY_RETRY_SECONDS });
    }
    this.underWay.set(keyId, count + 1);
    request.underWayBy = keyId;
    request.leave = () => this.leave(request);
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
  server.addHook('onSend', async (request: ApiRequest, reply, payload) => {
    // A file is under way until its last byte has gone, or its client has.
    if (payload instanceof Readable && !reply.raw.destroyed) reply.raw.once('close', () => rates.leave(request));
    else rates.leave(request);
    reply.headers(rates.headersFor(clientIp(request), request.rate));
    if (reply.statusCode !== TOO_MANY_REQUESTS || reply.hasHeader('retry-after')) return;
    const counted = request.rate?.allowed === false;
    reply.header('retry-after', String(counted ? request.rate?.retryAfterSeconds : RETRY_AFTER_SECONDS));
  });
}

/** Whether the request is for the events of a page. */
export function asksForStream({ headers }: ApiRequest): boolean {
  return headers.accept === 'text/event-stream';
}

/** The headers of every answer that tell of its request, for an answer that passes the framework by. */
export function requestHeaders({ id, rate }: ApiRequest): Readonly<Record<string, string>> {
  return { 'request-id': id, ...(rate && rateHeaders(rate)) };
}

function rateHeaders({ limit, remaining, resetSeconds }: RateState): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}

function tighter(one: RateState, other: RateState): RateState {
  return other.remaining < one.remaining ? other : one;
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
