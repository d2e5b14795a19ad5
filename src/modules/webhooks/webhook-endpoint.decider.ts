import type { ApiVersion } from '../../vocabulary/api-versions';
import { HOUR_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { keepsRule, type TextRule } from '../../vocabulary/text-rules';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { DisabledReason, WebhookEndpointCreated, WebhookEndpointEvent } from './webhook-endpoint.events';
import { ALL_TYPES, isWebhookType, WEBHOOK_TYPES } from './webhook-types';
import type { WebhookUrl } from './webhook-url';

/** The time for which earlier secrets sign beside a new one. */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;
/** Each active secret is one more signature in every delivery's header. */
export const MAX_ACTIVE_SECRETS = 5;
export const ENDPOINT_DESCRIPTION = { isOneLine: true, max: 500 } as const satisfies TextRule;
/**
 * Changes that one endpoint may go through; afterwards another endpoint takes its place. Each change reads the
 * endpoint's whole stream.
 */
export const ENDPOINT_CHANGES_LIMIT = 3_000;

export type SealedSecret = { readonly id: string; readonly sealed: string };

/** `expiresAt` is null for the newest secret, which signs until another one is rolled. */
type SigningSecret = SealedSecret & { readonly expiresAt: string | null };

export type WebhookEndpoint =
  | { readonly status: 'none' }
  | {
      readonly status: 'enabled' | 'disabled';
      readonly url: string;
      readonly description: string | null;
      readonly enabledEvents: readonly string[];
      readonly apiVersion: ApiVersion;
      readonly secrets: readonly SigningSecret[];
      readonly changes: number;
    };

export type LiveWebhookEndpoint = Exclude<WebhookEndpoint, { readonly status: 'none' }>;

/** A field that is left out stays as it is. */
export type WebhookEndpointChanges = {
  readonly url?: WebhookUrl;
  readonly description?: string | null;
  readonly enabledEvents?: readonly string[];
  readonly status?: 'enabled' | 'disabled';
};

type WebhookEndpointCommand =
  | {
      readonly type: 'create';
      readonly url: WebhookUrl;
      readonly description: string | null;
      readonly enabledEvents: readonly string[];
      readonly apiVersion: ApiVersion;
      readonly secret: SealedSecret;
    }
  | { readonly type: 'change'; readonly changes: WebhookEndpointChanges }
  | { readonly type: 'roll_secret'; readonly secret: SealedSecret }
  | { readonly type: 'disable'; readonly reason: DisabledReason };

/** The secrets that sign at `now`, the newest first. */
export function activeSecrets(secrets: readonly SigningSecret[], now: number): readonly SigningSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || parseIsoTime(expiresAt) > now);
}

function decide(
  command: WebhookEndpointCommand,
  state: WebhookEndpoint,
  { now }: DecisionContext,
): readonly WebhookEndpointEvent[] {
  if (command.type === 'create') {
    if (state.status !== 'none') throw refuse('duplicate_id');
    return [{ type: 'WebhookEndpointCreated', data: created(command) }];
  }
  if (state.status === 'none') throw refuse('unknown_endpoint');
  switch (command.type) {
    case 'change':
      return withinLimit(decideChange(command.changes, state), state);
    case 'roll_secret':
      if (activeSecrets(state.secrets, now).length >= MAX_ACTIVE_SECRETS) throw refuse('invalid_state_transition');
      return withinLimit([{ type: 'SigningSecretRolled', data: rolled(command.secret, now) }], state);
    case 'disable':
      return state.status === 'disabled' ? [] : [{ type: 'WebhookEndpointDisabled', data: { reason: command.reason } }];
    default:
      return unreachable(command);
  }
}

function created(
  command: Extract<WebhookEndpointCommand, { readonly type: 'create' }>,
): WebhookEndpointCreated['data'] {
  return {
    url: command.url,
    description: checkedDescription(command.description),
    enabled_events: checkedTypes(command.enabledEvents),
    api_version: command.apiVersion,
    secret_id: command.secret.id,
    sealed_secret: command.secret.sealed,
  };
}

function withinLimit(
  events: readonly WebhookEndpointEvent[],
  { changes }: LiveWebhookEndpoint,
): readonly WebhookEndpointEvent[] {
  if (changes + events.length > ENDPOINT_CHANGES_LIMIT) {
    const message = `This endpoint has been changed ${changes} times, ${ENDPOINT_CHANGES_LIMIT} at most: create another one.`;
    throw refuse('invalid_state_transition', { message });
  }
  return events;
}

function rolled(secret: SealedSecret, now: number) {
  return { secret_id: secret.id, sealed_secret: secret.sealed, overlap_ends_at: isoTime(now + SECRET_OVERLAP_MS) };
}

/** One fact for each field whose value really changes. */
function decideChange(changes: WebhookEndpointChanges, state: LiveWebhookEndpoint): readonly WebhookEndpointEvent[] {
  const { url = state.url, status = state.status, description = state.description } = changes;
  const enabledEvents = checkedTypes(changes.enabledEvents ?? state.enabledEvents);
  const events: WebhookEndpointEvent[] = [];
  if (url !== state.url) events.push({ type: 'WebhookEndpointMoved', data: { url } });
  if (checkedDescription(description) !== state.description) {
    events.push({ type: 'WebhookEndpointDescribed', data: { description } });
  }
  if (enabledEvents.join() !== state.enabledEvents.join()) {
    events.push({ type: 'WebhookEndpointSubscribed', data: { enabled_events: enabledEvents } });
  }
  if (status !== state.status) {
    events.push(
      status === 'enabled'
        ? { type: 'WebhookEndpointEnabled', data: {} }
        : { type: 'WebhookEndpointDisabled', data: { reason: 'disabled_by_merchant' } },
    );
  }
  return events;
}

/** The types in the given order, each once; `*` stands alone. Throws Refusal parameter_invalid. */
export function checkedTypes(types: readonly string[]): readonly string[] {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) throw notAllowed('enabled_events', 'At least one type is needed.');
  if (distinct.length === 1 && distinct[0] === ALL_TYPES) return distinct;
  const unknown = types.findIndex(type => !isWebhookType(type));
  if (unknown < 0) return distinct;
  const fault = types[unknown] === ALL_TYPES ? 'No other entry stands beside *.' : 'There is no such type of event.';
  throw notAllowed(`enabled_events[${unknown}]`, fault);
}

function notAllowed(param: string, fault: string) {
  const message = `${fault} Allowed are * alone, or any of ${WEBHOOK_TYPES.join(', ')}.`;
  return refuse('parameter_invalid', { param, message });
}

/** Throws Refusal parameter_invalid. */
export function checkedDescription(description: string | null): string | null {
  if (description === null) return null;
  if (!keepsRule(description, ENDPOINT_DESCRIPTION)) throw refuse('parameter_invalid', { param: 'description' });
  return description;
}

function evolve(state: WebhookEndpoint, event: WebhookEndpointEvent): WebhookEndpoint {
  if (event.type === 'WebhookEndpointCreated') {
    const { url, description, enabled_events, api_version, secret_id, sealed_secret } = event.data;
    const secrets = [{ id: secret_id, sealed: sealed_secret, expiresAt: null }];
    const settings = { url, description, enabledEvents: enabled_events, apiVersion: api_version, secrets };
    return { status: 'enabled', ...settings, changes: 0 };
  }
  return state.status === 'none' ? state : { ...changed(state, event), changes: state.changes + 1 };
}

type Change = Exclude<WebhookEndpointEvent, WebhookEndpointCreated>;

function changed(state: LiveWebhookEndpoint, event: Change): LiveWebhookEndpoint {
  switch (event.type) {
    case 'WebhookEndpointMoved':
      return { ...state, url: event.data.url };
    case 'WebhookEndpointDescribed':
      return { ...state, description: event.data.description };
    case 'WebhookEndpointSubscribed':
      return { ...state, enabledEvents: event.data.enabled_events };
    case 'WebhookEndpointEnabled':
      return { ...state, status: 'enabled' };
    case 'WebhookEndpointDisabled':
      return { ...state, status: 'disabled' };
    case 'SigningSecretRolled': {
      const { secret_id, sealed_secret, overlap_ends_at } = event.data;
      const ending = state.secrets.map(secret => ({ ...secret, expiresAt: secret.expiresAt ?? overlap_ends_at }));
      return { ...state, secrets: [{ id: secret_id, sealed: sealed_secret, expiresAt: null }, ...ending] };
    }
    default:
      return unreachable(event);
  }
}

export const webhookEndpoints: Aggregate<WebhookEndpoint, WebhookEndpointCommand, WebhookEndpointEvent> = {
  category: 'webhook_endpoint',
  notFound: 'unknown_endpoint',
  initial: { status: 'none' },
  decide,
  evolve,
};
