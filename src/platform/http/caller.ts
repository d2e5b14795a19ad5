import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { CommandContext } from '../../kernel/command-context';
import type { ActorRole, Mode } from '../../kernel/event';

/** Vocabulary of scopes; a `create` or `manage` scope implies the `read` scope of the same noun. */
export const SCOPES = [
  'payment:create', 'payment:read', 'invoice:create', 'invoice:read', 'key:manage', 'key:read', 'webhook:manage', 'webhook:read',
  'fee:read', 'settings:manage', 'settings:read', 'wallet:manage', 'wallet:read', 'route:manage', 'route:read', 'webhook_url:manage',
] as const; // prettier-ignore
export type Scope = (typeof SCOPES)[number];

/** Who makes an API request, as the guard found it. */
export type Caller = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly requestId: string;
  readonly ip: string | null;
  /** One per request; every event that the request causes carries it. */
  readonly commandId: string;
  /** Milliseconds by the mode's clock. */
  readonly now: number;
};

export const REQUIRED_SCOPE = Symbol('required scope');
export const HIGH_RISK_ACTION = Symbol('high-risk action');

/** The scope a route needs; a route without it is public. */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);

/** The route needs a fresh TOTP proof; `action` is the name that a proof is bound to, such as `wallet.create`. */
export const HighRisk = (action: string) => SetMetadata(HIGH_RISK_ACTION, action);

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<{ caller: Caller }>().caller;
});

/** What a request's command may know; `role` is the actor it acts as. */
export function commandContext(caller: Caller, role: ActorRole): CommandContext {
  return {
    commandId: caller.commandId,
    universe: caller.mode,
    merchantId: caller.merchantId,
    actor: { role, type: 'api_key', id: caller.keyId },
    now: caller.now,
    requestId: caller.requestId,
    correlationId: caller.requestId,
    causationId: null,
    ip: caller.ip,
  };
}
