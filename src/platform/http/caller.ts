import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiVersion } from '../../vocabulary/api-versions';
import type { MerchantContext } from '../../kernel/command-context';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import type { ActorRole } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import type { Permission } from '../../vocabulary/roles';
import type { MethodTerms } from '../../vocabulary/method-terms';
import type { PaymentLimits } from '../../vocabulary/payment-limits';
import type { Scope } from '../../vocabulary/scopes';
import type { SettingsFacts } from '../../vocabulary/settings-facts';
import type { AdmittedAdmin } from './admitted-admin';
import type { KeyLease } from '../idempotency/key-lease';
import type { RateState } from '../rate-limits/token-bucket';

/** The caller of an API request, as the guard found it. */
export type Caller = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  /** ISO-8601 UTC; null for a key without an end. */
  readonly keyEndsAt: string | null;
  readonly scopes: readonly Scope[];
  /** The permissions that the key lacks, whatever its scopes. */
  readonly withheld: readonly Permission[];
  readonly requestId: string;
  readonly ip: string | null;
  /** The version of the answer's shape, and of a webhook endpoint that this request creates. */
  readonly apiVersion: ApiVersion;
  /** The account's settings in the mode, as of this request. */
  readonly settings: SettingsFacts;
  /** The limits on the account's new payments, as of this request. */
  readonly limits: PaymentLimits;
  /** The account's terms for a choice of method, as of this request; null where the route does not ask for them. */
  readonly methodTerms: MethodTerms | null;
  /** The account takes no new payments in this mode, as of this request. */
  readonly isPaused: boolean;
  /** One id per request; every event that the request causes carries it. */
  readonly commandId: string;
  /** True where no earlier request has worked under the command's id. */
  readonly isFirstTry: boolean;
  /**
   * The first time of the command, by the wall's clock: earlier than `receivedAt` on a retry under an Idempotency-Key.
   */
  readonly startedAt: number;
  /** Milliseconds by the wall's clock. */
  readonly receivedAt: number;
  /** The merchant's clock of this mode, as of this request. */
  readonly clock: ClockStanding;
  /** Milliseconds by that clock, which is the wall's in `live`. */
  readonly now: number;
};

export type ApiReply = FastifyReply;

/** The facts that the steps of a request leave on it for later steps. */
export type ApiRequest = FastifyRequest & {
  /** Set by the guard; absent on public routes. */
  caller?: Caller;
  /** Set as soon as a key is authenticated: the owner of the request, also where it is refused afterwards. */
  account?: Pick<Caller, 'merchantId' | 'mode' | 'keyId'>;
  /** The administrator whose request this is; absent for others. */
  admin?: AdmittedAdmin;
  /** The account of the signed-in person whose request this is; absent for others. */
  readerMerchantId?: string;
  /** The state of the limit that the request was charged to; absent while there is none. */
  rate?: RateState;
  /** The key among whose requests under way this one is counted. */
  underWayBy?: string;
  /** Ends the request's time under way, for a stream that has begun: it stays open for long. */
  leave?: () => void;
  /** The answer's text, for the request log. */
  answerText?: string;
  /** The body's very bytes; absent when there is none. */
  rawBody?: Buffer;
  /** Set by the first request with an Idempotency-Key, until its answer is kept. */
  underKey?: { readonly lease: KeyLease; readonly showsSecret: boolean };
  /** The code that the request was refused with, for its log line. */
  errorCode?: ErrorCode;
};

export const REQUIRED_SCOPE = Symbol('required scope');
export const REQUIRED_PERMISSION = Symbol('required permission');
export const ASKS_METHODS = Symbol('asks for methods');
export const TEST_KEYS_ONLY = Symbol('test keys only');
export const HIGH_RISK_ACTION = Symbol('high-risk action');
export const ONE_TIME_SECRET = Symbol('one-time secret');
export const BODY_CHECK = Symbol('body check');

/**
 * The scope a route needs. A route without it, or RequireKey, is public; below `/v1` that is a mistake and fails
 * closed.
 */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);

/** The route also needs a permission of roles. A key can lack it beside the scope, since its maker's role lacked it. */
export const RequirePermission = (permission: Permission) => SetMetadata(REQUIRED_PERMISSION, permission);

/** The route gives a payment its method: the caller's `methodTerms` are read with the account. */
export const AsksMethods = () => SetMetadata(ASKS_METHODS, true);

/** Any secret or restricted key will do, whatever its scopes. */
export const RequireKey = () => SetMetadata(REQUIRED_SCOPE, null);

/** Keys of live mode find no such route. The routes are not public. */
export const TestKeysOnly = () => SetMetadata(TEST_KEYS_ONLY, true);

/** The handlers of the routes that ask for a proof, by the action's name. */
const highRiskHandlers = new Map<string, readonly object[]>();

/** The route needs a fresh TOTP proof; `action` is the name that a proof is bound to, such as `wallet.create`. */
export const HighRisk =
  (action: string) =>
  (target: object, name: string | symbol, descriptor: PropertyDescriptor): void => {
    highRiskHandlers.set(action, [...(highRiskHandlers.get(action) ?? []), descriptor.value as object]);
    SetMetadata(HIGH_RISK_ACTION, action)(target, name, descriptor);
  };

/** The route's answer holds a secret that is shown this once: the answer is never stored, so it cannot be replayed. */
export const OneTimeSecret = () => SetMetadata(ONE_TIME_SECRET, true);

/**
 * The facts for a check of a body beside the body. `provided` answers the value that the composition root provides
 * under a name.
 */
export type BodyCheckContext = { readonly caller: Caller; readonly provided: <T>(name: symbol) => T };
export type BodyCheck<Body> = (body: Body, context: BodyCheckContext) => void;

/**
 * A check that the rules of a body's class cannot express, since it concerns several fields or the caller. The check is
 * part of the validation. So a body that fails it consumes no one-time code and no Idempotency-Key. A replay passes the
 * check again, because the check reads neither the time nor any stored fact.
 */
export const ChecksBody = <Body>(check: BodyCheck<Body>) => SetMetadata(BODY_CHECK, check);

/** The scopes of the routes that ask for a proof of this name; empty where none does. */
export function scopesOfAction(action: string): readonly Scope[] {
  const handlers = highRiskHandlers.get(action) ?? [];
  return handlers.flatMap(handler => (Reflect.getMetadata(REQUIRED_SCOPE, handler) as Scope | null | undefined) ?? []);
}

/** The caller that the guard left. Throws Refusal missing_principal where no guard stood before the route. */
export function callerOf(context: Pick<ExecutionContext, 'switchToHttp'>): Caller {
  const { caller } = context.switchToHttp().getRequest<Pick<ApiRequest, 'caller'>>();
  if (caller === undefined) throw refuse('missing_principal');
  return caller;
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));

/** The facts for a request's command; `role` is the actor's. */
export function commandContext(caller: Caller, role: ActorRole): MerchantContext {
  return {
    commandId: caller.commandId,
    isFirstTry: caller.isFirstTry,
    startedAt: caller.startedAt,
    universe: caller.mode,
    merchantId: caller.merchantId,
    actor: { role, type: 'api_key', id: caller.keyId },
    clock: caller.clock,
    now: caller.now,
    requestId: caller.requestId,
    correlationId: caller.requestId,
    causationId: null,
    ip: caller.ip,
  };
}
