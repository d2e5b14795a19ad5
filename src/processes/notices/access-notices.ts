import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Deed, MailFacts, MailKind, Origin } from '../../modules/outbox/mail-kinds';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { ApiKeyEvent, ApiKeyMinted } from '../../modules/api-keys/api-key.events';
import { isOfSuccessor } from '../../modules/api-keys/commands/rotate-api-key.command';
import type { RouteEvent, RouteSet } from '../../modules/routes/route.events';
import type { SessionPolicySet } from '../../modules/sessions/session-policy.events';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import type { WebhookEndpointEvent } from '../../modules/webhooks/webhook-endpoint.events';
import { webhookEndpointsReadModel } from '../../modules/webhooks/webhook-endpoints.read-model';

export type AccessEvent = RouteEvent | WebhookEndpointEvent | ApiKeyEvent | SessionPolicySet;

/**
 * The mail that an event of a route, endpoint, key or session policy asks for. Nothing is read for an event that asks
 * for none.
 */
export class AccessNotices {
  constructor(private readonly readModels: ReadModels) {}

  async noticeOf(event: RecordedEvent<AccessEvent>): Promise<MailKind | null> {
    switch (event.type) {
      case 'RouteSet':
        return this.ofRoute(event);
      case 'ApiKeyMinted':
        return ofMinting(event);
      case 'ApiKeyRotated': {
        const { successor, expires_at: expiresAt } = event.data;
        return { kind: 'api_key_rotated', facts: { ...keyOf(event), successor, expiresAt } };
      }
      case 'ApiKeyRevoked':
        return { kind: 'api_key_revoked', facts: keyOf(event) };
      case 'WebhookEndpointCreated':
        return { kind: 'endpoint_created', facts: ofEndpoint(event, event.data.url) };
      case 'WebhookEndpointMoved':
        return { kind: 'endpoint_moved', facts: ofEndpoint(event, event.data.url) };
      case 'SigningSecretRolled': {
        const overlapEndsAt = event.data.overlap_ends_at;
        const facts = { ...ofEndpoint(event, await this.urlOf(event)), overlapEndsAt };
        return { kind: 'endpoint_secret_rolled', facts };
      }
      case 'WebhookEndpointDisabled': {
        const kind = event.data.reason === 'sustained_failure' ? 'endpoint_failing' : 'endpoint_disabled';
        return { kind, facts: ofEndpoint(event, await this.urlOf(event)) };
      }
      case 'SessionPolicySet': {
        const { idle_minutes: idleMinutes, absolute_minutes: absoluteMinutes, pin_ip: pinsAddress } = event.data;
        const facts = { idleMinutes, absoluteMinutes, pinsAddress, origin: originOf(event) };
        return { kind: 'session_policy_set', facts };
      }
      default:
        return null;
    }
  }

  private async ofRoute(event: RecordedEvent<RouteSet>): Promise<MailKind> {
    const { universe } = parseStreamName(event.stream);
    const { asset_symbol: asset, network_id: network, wallet_id: walletId, cooling_down_until: until } = event.data;
    const wallet = await this.readModels.get(walletsReadModel, universe, walletId);
    invariant(wallet, `${event.stream} routes to ${walletId}, which is no wallet`);
    const facts = { ...changeOf(event), asset, network, walletId, address: wallet.body.address };
    if (!event.data.changed) return { kind: 'route_set', facts };
    return { kind: 'route_changed', facts: { ...facts, coolingDownUntil: until ?? event.metadata.occurred_at } };
  }

  private async urlOf({ stream }: RecordedEvent): Promise<string> {
    const { universe, id } = parseStreamName(stream);
    const endpoint = await this.readModels.get(webhookEndpointsReadModel, universe, id);
    invariant(endpoint, `${stream} is of no endpoint`);
    return endpoint.body.url;
  }
}

/** The cause of an event, as mail tells it. */
export function originOf(event: RecordedEvent): Origin {
  return { ...deedOf(event), ip: event.metadata.ip };
}

/** The time and the actor alone: another person's mail does not tell the actor's network address. */
export function deedOf({ metadata: { actor, occurred_at: at } }: RecordedEvent): Deed {
  return { at, actor };
}

/** The keys of a new account are no news, and a rotation tells of its successor. */
function ofMinting(event: RecordedEvent<ApiKeyMinted>): MailKind | null {
  if (event.metadata.actor.role !== 'merchant' || isOfSuccessor(event)) return null;
  const { name, scopes, expires_at: expiresAt } = event.data;
  return { kind: 'api_key_minted', facts: { ...keyOf(event), name, scopes, expiresAt } };
}

function changeOf(event: RecordedEvent): Pick<MailFacts['api_key_revoked'], 'mode' | 'origin'> {
  return { mode: event.metadata.mode, origin: originOf(event) };
}

function keyOf(event: RecordedEvent): MailFacts['api_key_revoked'] {
  return { ...changeOf(event), keyId: parseStreamName(event.stream).id };
}

function ofEndpoint(event: RecordedEvent, url: string): MailFacts['endpoint_created'] {
  return { ...changeOf(event), endpointId: parseStreamName(event.stream).id, host: new URL(url).host };
}
