import { merchantsProjection } from '../../../projections/merchants/merchants.projection';
import { walletsProjection } from '../../../projections/wallets/wallets.projection';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints/webhook-endpoints.projection';
import type { Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SettledTransferLost } from '../../modules/payment-intents/payment-intent.events';
import type { RouteEvent, RouteSet } from '../../modules/routes/route.events';
import type { WebhookEndpointDisabled, WebhookEndpointEvent } from '../../modules/webhooks/webhook-endpoint.events';
import { endpointDisabled, routeChanged, transferLost, type NoticeText } from './notice-text';
import type { Outbox } from './outbox';

export type NoticesParts = {
  readonly outbox: Outbox;
  readonly readModels: ReadModels;
  readonly dashboardUrl: string;
  /** False: no mail server is configured, so messages stay in the outbox. */
  readonly canSend: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** The categories that the group `notices` reads. */
export const NOTICE_CATEGORIES = ['routes', 'webhook_endpoint', 'payment_intent'] as const;

type NoticedEvent = RouteEvent | WebhookEndpointEvent | SettledTransferLost;

/**
 * Group `notices`: puts an e-mail to the merchant into the outbox where a route is changed, an endpoint is switched off for its failures, or a
 * chain takes back what a payment was settled with. Run twice it finds the message standing, since its id is the event's.
 */
export class Notices {
  constructor(private readonly parts: NoticesParts) {}

  async handle({ event }: GroupMessage): Promise<void> {
    const notice = await this.noticeOf(event as RecordedEvent<NoticedEvent>);
    if (notice === null) return;
    const { outbox, clock, log, canSend } = this.parts;
    const to = await this.recipient(event.metadata.merchant_id);
    const put = await outbox.put({ id: event.id, to, ...notice }, clock.now());
    if (put && !canSend) log.info({ to, subject: notice.subject }, 'no mail server: the message is kept in the outbox');
  }

  private async noticeOf(event: RecordedEvent<NoticedEvent>): Promise<NoticeText | null> {
    switch (event.type) {
      case 'RouteSet':
        return event.data.changed ? this.ofRoute(event) : null;
      case 'WebhookEndpointDisabled':
        return event.data.reason === 'sustained_failure' ? this.ofEndpoint(event) : null;
      case 'SettledTransferLost':
        return transferLost(event, parseStreamName(event.stream).id, this.parts.dashboardUrl);
      default:
        return null;
    }
  }

  private async ofRoute(event: RecordedEvent<RouteSet>): Promise<NoticeText> {
    const { universe } = parseStreamName(event.stream);
    const wallet = await this.parts.readModels.get(walletsProjection, universe, event.data.wallet_id);
    invariant(wallet, `${event.stream} routes to ${event.data.wallet_id}, which is no wallet`);
    return routeChanged(event, wallet.body.address, this.parts.dashboardUrl);
  }

  private async ofEndpoint(event: RecordedEvent<WebhookEndpointDisabled>): Promise<NoticeText> {
    const { universe, id } = parseStreamName(event.stream);
    const endpoint = await this.parts.readModels.get(webhookEndpointsProjection, universe, id);
    invariant(endpoint, `${event.stream} is of no endpoint`);
    return endpointDisabled(event, id, new URL(endpoint.body.url).host, this.parts.dashboardUrl);
  }

  private async recipient(merchantId: string | null): Promise<string> {
    invariant(merchantId !== null, 'a notice is for a merchant');
    const merchant = await this.parts.readModels.get(merchantsProjection, 'platform', merchantId);
    invariant(merchant, `${merchantId} is no merchant`);
    return merchant.body.email;
  }
}
